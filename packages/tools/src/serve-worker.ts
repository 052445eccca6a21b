import type { Duplex } from 'node:stream';
import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { BulkheadError, type ToolResult } from '@bulkhead/protocol';
import { type AttachRequest, AttachResponseSchema } from '@bulkhead/protocol/worker';
import { type AcceptedProcess, acceptProcess } from '@bulkhead/wire';
import { OpenCalls } from './open-calls.ts';
import type { WorkerConnection } from './worker-connection.ts';
import { workerWire } from './worker-wire.ts';

export interface ServeWorkerTimes {
  /** Until the worker has shown its token. */
  readonly readyMs: number;
  /** Between a cancellation or a shutdown and the worker's answer to it. */
  readonly graceMs: number;
}

const DEFAULT_GRACE_MS = 2_000;

/**
 * Speaks gRPC over the one stream that was made for this worker, and resolves once the worker has shown the
 * expected token and protocol version. Whatever breaks the protocol ends the stream.
 * @param duplex the engine's end of the worker's descriptor 3; becomes the connection's to destroy
 * @param times milliseconds; a number stands for `readyMs`
 * @throws BulkheadError `worker_failed`
 */
export async function serveWorker(
  duplex: Duplex,
  expectedToken: string,
  times: number | ServeWorkerTimes,
): Promise<WorkerConnection> {
  const { readyMs, graceMs } =
    typeof times === 'number' ? { readyMs: times, graceMs: DEFAULT_GRACE_MS } : times;
  try {
    const worker = await acceptProcess(duplex, workerWire, { token: expectedToken, timeoutMs: readyMs });
    return new ServedWorker(worker, graceMs);
  } catch (error) {
    throw workerFailed(error);
  }
}

class ServedWorker implements WorkerConnection {
  readonly pid: number;
  readonly closed: Promise<void>;
  readonly #worker: AcceptedProcess<AttachRequest>;
  readonly #graceMs: number;
  readonly #calls = new OpenCalls();
  #failure: BulkheadError | undefined;

  constructor(worker: AcceptedProcess<AttachRequest>, graceMs: number) {
    this.#worker = worker;
    this.#graceMs = graceMs;
    this.pid = worker.pid;
    this.closed = worker.closed;
    void this.#receive();
  }

  async run(...[call, update, signal]: Parameters<WorkerConnection['run']>): Promise<ToolResult> {
    if (this.#failure !== undefined) throw this.#failure;
    if (signal.aborted) return { text: 'cancelled', isError: true };
    const { actionId, tool, canonicalArguments: argumentsJson } = call;
    const { result, forget } = this.#calls.open(call, update);
    let timer: NodeJS.Timeout | undefined;
    const cancel = () => {
      this.#send({ case: 'cancel', value: { actionId } });
      const silent = failed('the worker did not answer a cancellation');
      timer = setTimeout(() => this.#fail(silent), this.#graceMs);
    };
    signal.addEventListener('abort', cancel, { once: true });
    try {
      if (this.#send({ case: 'run', value: { actionId, tool, argumentsJson } })) return await result;
      forget();
      return { text: 'the arguments are larger than a worker accepts', isError: true };
    } finally {
      signal.removeEventListener('abort', cancel);
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    this.#send({ case: 'shutdown', value: {} });
    await this.#worker.close(this.#graceMs);
  }

  #send(directive: MessageInitShape<typeof AttachResponseSchema>['directive']): boolean {
    const message = create(AttachResponseSchema, directive === undefined ? {} : { directive });
    return this.#worker.outbox.push(toBinary(AttachResponseSchema, message));
  }

  async #receive(): Promise<void> {
    try {
      for await (const event of this.#worker.events) this.#calls.receive(event);
      this.#fail(failed('the connection to the worker ended'));
    } catch (error) {
      this.#fail(workerFailed(error));
    }
  }

  /** The first reason stays; the connection ends and every open call with it. */
  #fail(reason: BulkheadError): void {
    this.#failure ??= reason;
    this.#calls.failAll(this.#failure);
    this.#worker.destroy(this.#failure);
  }
}

/** Whatever a worker did, its callers need to know one thing: whether their call took effect is unknown. */
function workerFailed(error: unknown): BulkheadError {
  return failed(BulkheadError.from(error).message, error);
}

function failed(reason: string, cause?: unknown): BulkheadError {
  return new BulkheadError('worker_failed', reason, { cause });
}
