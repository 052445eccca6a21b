import type { DefinedTool } from '../definitions/define-tool.ts';
import type { ToolGroup } from '../tool-registry.ts';
import { bashTool } from './bash.ts';
import { editTool } from './edit.ts';
import { findTool } from './find.ts';
import { grepTool } from './grep.ts';
import { httpRequestTool } from './http-request.ts';
import { lsTool } from './ls.ts';
import { memorySearchTool } from './memory-search.ts';
import { memoryWriteTool } from './memory-write.ts';
import { processListTool } from './process-list.ts';
import { processStopTool } from './process-stop.ts';
import { readTool } from './read.ts';
import { resultOpenTool } from './result-open.ts';
import { webFetchTool } from './web-fetch.ts';
import { writeTool } from './write.ts';

/**
 * The only list of all tools of the product, in the order a model sees them; settings may leave
 * some out.
 */
export const everyTool: readonly DefinedTool[] = [
  readTool,
  writeTool,
  editTool,
  lsTool,
  findTool,
  grepTool,
  bashTool,
  webFetchTool,
  httpRequestTool,
  processListTool,
  processStopTool,
  resultOpenTool,
  memorySearchTool,
  memoryWriteTool,
];

/** Tools of every session from its start; all others are loaded on demand. */
export const coreGroups: readonly ToolGroup[] = [
  { name: 'files', summary: '' },
  { name: 'shell', summary: '' },
];

export const everyGroup: readonly ToolGroup[] = [
  ...coreGroups,
  { name: 'web', summary: 'read web pages, call web services' },
  { name: 'processes', summary: 'background commands' },
  { name: 'results', summary: 'earlier results in full' },
  { name: 'memory', summary: 'long-term memory' },
];

/** The tools of one group, in order. */
export function toolsOf(group: string): readonly DefinedTool[] {
  return everyTool.filter((tool) => tool.group === group);
}

/** The tools that a session has from its start. */
export const coreTools: readonly DefinedTool[] = coreGroups.flatMap(({ name }) => toolsOf(name));
