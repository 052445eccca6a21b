import type { ToolPlan, ToolResult } from '@bulkhead/protocol';
import type { WorkerContext, WorkerTool } from '../definitions/worker-tool.ts';

export interface ReadingTool<Arguments, Subject extends Disposable> {
  /** Finds the target and refuses an unsuitable one: the same for act and plan. */
  readonly open: (args: Arguments, context: WorkerContext) => Promise<Subject> | Subject;
  readonly look: (
    args: Arguments,
    subject: Subject,
    context: WorkerContext,
    signal: AbortSignal,
  ) => Promise<ToolResult> | ToolResult;
  /** Describes the effect of `look`, to follow the word "would". */
  readonly describe: (args: Arguments, subject: Subject) => string;
}

/** A tool that changes nothing. */
export function readingTool<Arguments, Subject extends Disposable>(
  tool: ReadingTool<Arguments, Subject>,
): WorkerTool<Arguments> {
  return {
    run: async (args, context, _update, signal) => {
      using subject = await tool.open(args, context);
      return await tool.look(args, subject, context, signal);
    },
    plan: async (args, context): Promise<ToolPlan> => {
      using subject = await tool.open(args, context);
      return { text: `would ${tool.describe(args, subject)}`, isError: false, changes: [] };
    },
  };
}
