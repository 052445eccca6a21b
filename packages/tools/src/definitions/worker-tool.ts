import type { ToolPlan, ToolResult, ToolUpdate } from '@bulkhead/protocol';
import type { FileVersions } from '../files/file-versions.ts';
import type { GrantedFiles } from '../files/granted-files.ts';

/**
 * State that a worker's calls share: one grant, and the file versions that this session has seen.
 */
export interface WorkerContext {
  readonly files: GrantedFiles;
  readonly versions: FileVersions;
  /** Absolute path of the ripgrep binary. */
  readonly ripgrep: string;
}

/** The context of one call. */
export interface CallContext extends WorkerContext {
  readonly actionId: string;
}

/**
 * Executes and plans one tool's calls. Both throw BulkheadError for every failure; the worker turns
 * it into an error result.
 */
export interface WorkerTool<Arguments> {
  readonly run: (
    args: Arguments,
    context: CallContext,
    update: ToolUpdate,
    signal: AbortSignal,
  ) => Promise<ToolResult>;
  /** Changes nothing, and fails where `run` would, as far as a plan can know [A5]. */
  readonly plan: (args: Arguments, context: CallContext, signal: AbortSignal) => Promise<ToolPlan>;
}

/** A tool that parses its own arguments, so no executor receives unparsed ones. */
export interface BoundTool {
  readonly name: string;
  run(input: unknown, context: CallContext, update: ToolUpdate, signal: AbortSignal): Promise<ToolResult>;
  plan(input: unknown, context: CallContext, signal: AbortSignal): Promise<ToolPlan>;
}

export function success(text: string, display?: string): ToolResult {
  return { text, isError: false, ...(display === undefined ? {} : { display }) };
}
