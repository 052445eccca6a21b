import { createToolRegistry, everyGroup, everyTool, memoryTools, type ToolRegistry } from '@bulkhead/tools';
import type { Settings } from './read-settings.ts';

/** Every tool this engine has. What is off has no tools: a model is not offered what would be refused. */
export function engineTools({ memory }: Pick<Settings['config'], 'memory'>): ToolRegistry {
  const off = new Set(memory.enabled ? [] : memoryTools);
  return createToolRegistry(
    everyTool.filter((tool) => !off.has(tool)),
    everyGroup,
  );
}
