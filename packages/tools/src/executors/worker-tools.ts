import { editTool } from '../definitions/edit-tool.ts';
import { findTool } from '../definitions/find-tool.ts';
import { grepTool } from '../definitions/grep-tool.ts';
import { lsTool } from '../definitions/ls-tool.ts';
import { readTool } from '../definitions/read-tool.ts';
import { writeTool } from '../definitions/write-tool.ts';
import { runEdit } from './run-edit.ts';
import { runFind } from './run-find.ts';
import { runGrep } from './run-grep.ts';
import { runLs } from './run-ls.ts';
import { runRead } from './run-read.ts';
import { runWrite } from './run-write.ts';
import { type BoundTool, bindTool } from './worker-tool.ts';

/** The tools a worker runs; bash is not among them, its box is its own. */
export const workerTools: readonly BoundTool[] = [
  bindTool(readTool, runRead),
  bindTool(writeTool, runWrite),
  bindTool(editTool, runEdit),
  bindTool(lsTool, runLs),
  bindTool(findTool, runFind),
  bindTool(grepTool, runGrep),
];
