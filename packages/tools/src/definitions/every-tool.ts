import type { ToolDescription } from '@bulkhead/protocol';
import type { ToolGroup } from '../tool-registry.ts';
import { coreGroups, coreTools } from './core-tools.ts';
import { memoryGroups, memoryTools } from './memory-tools.ts';
import { processGroups, processTools } from './process-tools.ts';
import { resultGroups, resultTools } from './result-tools.ts';
import { webGroups, webTools } from './web-tools.ts';

/** Every tool that comes with the product, whatever the settings leave out: the one list of them. */
export const everyTool: readonly ToolDescription[] = [
  ...coreTools,
  ...webTools,
  ...processTools,
  ...resultTools,
  ...memoryTools,
];

export const everyGroup: readonly ToolGroup[] = [
  ...coreGroups,
  ...webGroups,
  ...processGroups,
  ...resultGroups,
  ...memoryGroups,
];
