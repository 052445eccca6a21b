import type { ToolResult, ToolUpdate } from '@bulkhead/protocol';
import type { TypedTool } from '../definitions/define-tool.ts';
import type { FileVersions } from '../files/file-versions.ts';
import type { GrantedFiles } from '../files/granted-files.ts';

/** What a worker's tools share: one grant, and what this session has seen of it. */
export interface WorkerContext {
  readonly files: GrantedFiles;
  readonly versions: FileVersions;
  /** Absolute path of the ripgrep binary. */
  readonly ripgrep: string;
  /** 32 random hex digits, fresh on every call. */
  readonly nonce: () => string;
}

/** Runs one call. Throws BulkheadError for what went wrong; the worker makes an error result of it. */
export type WorkerTool<Arguments> = (
  args: Arguments,
  context: WorkerContext,
  update: ToolUpdate,
  signal: AbortSignal,
) => Promise<ToolResult>;

/** A tool that parses its own arguments: nothing unparsed reaches an executor. */
export interface BoundTool {
  readonly name: string;
  run(input: unknown, context: WorkerContext, update: ToolUpdate, signal: AbortSignal): Promise<ToolResult>;
}

export function bindTool<Arguments extends Readonly<Record<string, unknown>>>(
  tool: TypedTool<Arguments>,
  run: WorkerTool<Arguments>,
): BoundTool {
  return {
    name: tool.name,
    run: (input, context, update, signal) => run(tool.parse(input), context, update, signal),
  };
}

export function success(text: string, display?: string): ToolResult {
  return { text, isError: false, ...(display === undefined ? {} : { display }) };
}
