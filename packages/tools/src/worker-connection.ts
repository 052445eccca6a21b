import type { ToolHostCall, ToolResult, ToolUpdate } from '@bulkhead/protocol';

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
  run(call: ToolHostCall, update: ToolUpdate, signal: AbortSignal): Promise<ToolResult>;
  /** Tells the worker to end, ends the connection and waits for it. Open calls end with `worker_failed`. */
  close(): Promise<void>;
  /** Resolves when the connection has ended, for whatever reason. Never rejects. */
  readonly closed: Promise<void>;
}
