import type { ToolDescription } from '@bulkhead/protocol';
import type { ToolGroup } from '../tool-registry.ts';
import { bashTool } from './bash-tool.ts';
import { editTool } from './edit-tool.ts';
import { findTool } from './find-tool.ts';
import { grepTool } from './grep-tool.ts';
import { lsTool } from './ls-tool.ts';
import { readTool } from './read-tool.ts';
import { writeTool } from './write-tool.ts';

/** The seven core tools, in the order a model is shown them. */
export const coreTools: readonly ToolDescription[] = [
  readTool,
  writeTool,
  editTool,
  lsTool,
  findTool,
  grepTool,
  bashTool,
];

export const coreGroups: readonly ToolGroup[] = [
  { name: 'files', summary: '' },
  { name: 'shell', summary: '' },
];
