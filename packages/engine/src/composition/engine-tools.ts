import {
  coreGroups,
  coreTools,
  createToolRegistry,
  memoryGroups,
  memoryTools,
  processGroups,
  processTools,
  resultGroups,
  resultTools,
  type ToolRegistry,
  webGroups,
  webTools,
} from '@bulkhead/tools';
import type { Settings } from './read-settings.ts';

/** Every tool this engine has. What is off has no tools: a model is not offered what would be refused. */
export function engineTools({ memory }: Pick<Settings['config'], 'memory'>): ToolRegistry {
  return createToolRegistry(
    [...coreTools, ...webTools, ...processTools, ...resultTools, ...(memory.enabled ? memoryTools : [])],
    [...coreGroups, ...webGroups, ...processGroups, ...resultGroups, ...memoryGroups],
  );
}
