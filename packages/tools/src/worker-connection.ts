import type { FileState, ToolHostCall, ToolPlan, ToolResult, ToolUpdate } from '@bulkhead/protocol';

/** A worker parses the judged bytes: it is another process and receives nothing else. */
export type WorkerCall = Pick<ToolHostCall, 'actionId' | 'tool' | 'canonicalArguments'>;

/** One worker, from the engine's view, after it has shown its token. */
export interface WorkerConnection {
  /** The worker's own statement, for logs only; no decision depends on it. */
  readonly pid: number;
  /**
   * Runs one call in the worker. An aborted call is cancelled there and answered with an error
   * result; a worker that doesn't answer the cancellation in time is given up.
   * @throws BulkheadError `worker_failed` if the worker is gone, ends during the call or breaks the
   * protocol: whether the call took effect is then unknown
   */
  run(call: WorkerCall, update: ToolUpdate, signal: AbortSignal): Promise<ToolResult>;
  /**
   * Plans a call [A5]. Like `run`, but an aborted plan is an error, and one of a lost worker
   * rejects with `worker_failed` and has changed nothing.
   */
  plan(call: WorkerCall, signal: AbortSignal): Promise<ToolPlan>;
  /**
   * Returns the present state of paths [T8], at most 64, after removing incomplete writes of an
   * earlier call beside them.
   * @param actionId of that call
   * @param paths as its arguments named them
   * @returns one state per path, in order
   * @throws BulkheadError `cancelled`; `worker_failed` if the worker is lost; `internal` for more
   * paths
   */
  inspect(actionId: string, paths: readonly string[], signal: AbortSignal): Promise<readonly FileState[]>;
  /**
   * Tells the worker to end, ends the connection and waits for it. Open requests end with
   * `worker_failed`.
   */
  close(): Promise<void>;
  /** Resolves when the connection has ended, for any reason. Never rejects. */
  readonly closed: Promise<void>;
}
