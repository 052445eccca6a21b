import { createToolRegistry, everyGroup, everyTool, type ToolRegistry, toolsOf } from '@bulkhead/tools';
import type { Settings } from '../ground/read-settings.ts';

type ToolSettings = Pick<Settings['config'], 'memory'>;

/**
 * Every tool of this engine. A feature that is off has no tools, so that models are not offered
 * calls that would be refused.
 */
export function engineTools(settings: ToolSettings): ToolRegistry {
  const off = toolsOff(settings);
  return createToolRegistry(
    everyTool.filter(({ name }) => !off.has(name)),
    everyGroup,
  );
}

/** Why a tool is not offered, and how to enable it, by its name. */
export function toolsOff({ memory }: ToolSettings): ReadonlyMap<string, string> {
  if (memory.enabled) return new Map();
  const reason = 'memory is off: set memory.enabled to true in config.yaml';
  return new Map(toolsOf('memory').map(({ name }) => [name, reason]));
}
