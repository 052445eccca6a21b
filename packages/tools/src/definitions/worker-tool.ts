import type { ToolPlan, ToolResult, ToolUpdate } from '@bulkhead/protocol';
import type { FileVersions } from '../files/file-versions.ts';
import type { GrantedFiles } from '../files/granted-files.ts';

/** What a worker's calls share: one grant, and what this session has seen of it. */
export interface WorkerContext {
  readonly files: GrantedFiles;
  readonly versions: FileVersions;
  /** Absolute path of the ripgrep binary. */
  readonly ripgrep: string;
}

/** What one call works with. */
export interface CallContext extends WorkerContext {
  readonly actionId: string;
}

/**
 * One tool's two ways: to act, and to say what acting would do. Both throw BulkheadError for what goes wrong; the
 * worker makes an error of it.
 */
export interface WorkerTool<Arguments> {
  readonly run: (
    args: Arguments,
    context: CallContext,
    update: ToolUpdate,
    signal: AbortSignal,
  ) => Promise<ToolResult>;
  /** Changes nothing, and fails where `run` would, as far as that can be foretold [A5]. */
  readonly plan: (args: Arguments, context: CallContext, signal: AbortSignal) => Promise<ToolPlan>;
}

/** A tool that parses its own arguments: nothing unparsed reaches an executor. */
export interface BoundTool {
  readonly name: string;
  run(input: unknown, context: CallContext, update: ToolUpdate, signal: AbortSignal): Promise<ToolResult>;
  plan(input: unknown, context: CallContext, signal: AbortSignal): Promise<ToolPlan>;
}

export function success(text: string, display?: string): ToolResult {
  return { text, isError: false, ...(display === undefined ? {} : { display }) };
}
