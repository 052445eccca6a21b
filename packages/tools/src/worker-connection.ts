import type { FileState, ToolHostCall, ToolPlan, ToolResult, ToolUpdate } from '@bulkhead/protocol';

/** A worker parses the judged bytes: it is another process, and they are all it gets. */
export type WorkerCall = Pick<ToolHostCall, 'actionId' | 'tool' | 'canonicalArguments'>;

/** One worker, as the engine sees it after it has shown its token. */
export interface WorkerConnection {
  /** The worker's own word, for logs; nothing is decided by it. */
  readonly pid: number;
  /**
   * Runs one call in the worker. An aborted call is cancelled there and answered with an error result; a
   * worker that doesn't answer the cancellation in time is given up.
   * @throws BulkheadError `worker_failed` if the worker is gone, goes meanwhile or breaks the protocol: whether
   *   the call took effect is then unknown
   */
  run(call: WorkerCall, update: ToolUpdate, signal: AbortSignal): Promise<ToolResult>;
  /**
   * Asks what a call would do [A5]. As `run` otherwise: an aborted plan is an error, one of a lost worker
   * rejects with `worker_failed`, and then nothing has happened.
   */
  plan(call: WorkerCall, signal: AbortSignal): Promise<ToolPlan>;
  /**
   * Asks what lies at paths now [T8], at most 64, after what an earlier call left half written beside them was removed.
   * @param actionId of that call
   * @param paths as its arguments named them
   * @returns one state per path, in order
   * @throws BulkheadError `cancelled`; `worker_failed` if the worker is lost; `internal` for more paths
   */
  inspect(actionId: string, paths: readonly string[], signal: AbortSignal): Promise<readonly FileState[]>;
  /** Tells the worker to end, ends the connection and waits for it. Open requests end with `worker_failed`. */
  close(): Promise<void>;
  /** Resolves when the connection has ended, for whatever reason. Never rejects. */
  readonly closed: Promise<void>;
}
