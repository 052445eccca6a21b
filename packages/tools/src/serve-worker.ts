import { timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http2';
import type { Duplex } from 'node:stream';
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { BulkheadError, PROTOCOL_VERSION, type ToolResult } from '@bulkhead/protocol';
import {
  type AttachRequest,
  type AttachResponse,
  AttachResponseSchema,
  WorkerService,
} from '@bulkhead/protocol/worker';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { OpenCalls } from './open-calls.ts';
import { Outbox } from './outbox.ts';
import { MAX_MESSAGE_BYTES } from './wire-limits.ts';
import type { WorkerConnection } from './worker-connection.ts';

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
  const served = new ServedWorker(duplex, expectedToken, graceMs);
  const timer = setTimeout(() => served.fail(gone('it did not get ready in time')), readyMs);
  try {
    await served.ready;
    return served;
  } finally {
    clearTimeout(timer);
  }
}

class ServedWorker implements WorkerConnection {
  readonly #duplex: Duplex;
  readonly #token: string;
  readonly #graceMs: number;
  readonly #calls = new OpenCalls();
  readonly #outbox = new Outbox<AttachResponse>();
  readonly #ready = Promise.withResolvers<void>();
  readonly closed: Promise<void>;
  #failure: BulkheadError | undefined;
  #attached = false;
  #pid = 0;

  constructor(duplex: Duplex, token: string, graceMs: number) {
    this.#duplex = duplex;
    this.#token = token;
    this.#graceMs = graceMs;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    duplex.on('error', () => undefined);
    duplex.once('close', () => {
      this.fail(gone('its connection ended'));
      resolve();
    });
    this.#serve();
  }

  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  get pid(): number {
    return this.#pid;
  }

  async run(...[call, update, signal]: Parameters<WorkerConnection['run']>): Promise<ToolResult> {
    if (this.#failure !== undefined) throw this.#failure;
    if (signal.aborted) return { text: 'cancelled', isError: true };
    const { actionId, tool, canonicalArguments: argumentsJson } = call;
    const result = this.#calls.open(call, update);
    let timer: NodeJS.Timeout | undefined;
    const cancel = () => {
      this.#send({ case: 'cancel', value: { actionId } });
      timer = setTimeout(() => this.fail(gone('it did not answer a cancellation')), this.#graceMs);
    };
    signal.addEventListener('abort', cancel, { once: true });
    try {
      this.#send({ case: 'run', value: { actionId, tool, argumentsJson } });
      return await result;
    } finally {
      signal.removeEventListener('abort', cancel);
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    this.#send({ case: 'shutdown', value: {} });
    this.#outbox.close();
    const timer = setTimeout(() => this.#duplex.destroy(), this.#graceMs);
    await this.closed;
    clearTimeout(timer);
  }

  /** The first reason stays; the connection ends and every open call with it. */
  fail(reason: BulkheadError): void {
    if (this.#failure !== undefined) return;
    this.#failure = reason;
    this.#ready.reject(reason);
    this.#calls.failAll(reason);
    this.#outbox.close();
    this.#duplex.destroy();
  }

  #send(directive: MessageInitShape<typeof AttachResponseSchema>['directive']): void {
    this.#outbox.push(create(AttachResponseSchema, directive === undefined ? {} : { directive }));
  }

  #serve(): void {
    const handler = connectNodeAdapter({
      acceptCompression: [],
      readMaxBytes: MAX_MESSAGE_BYTES,
      writeMaxBytes: MAX_MESSAGE_BYTES,
      routes: (router) => router.service(WorkerService, { attach: (requests) => this.#attach(requests) }),
      fallback: () => this.fail(gone('it called something that does not exist')),
    });
    const server = createServer({ settings: { maxConcurrentStreams: 1 } }, handler);
    server.on('sessionError', () => this.fail(gone('it broke the protocol')));
    server.emit('connection', this.#duplex);
  }

  async *#attach(requests: AsyncIterable<AttachRequest>): AsyncGenerator<AttachResponse> {
    if (this.#attached) {
      this.fail(gone('it attached twice'));
      return;
    }
    this.#attached = true;
    void this.#receive(requests);
    yield* this.#outbox;
  }

  async #receive(requests: AsyncIterable<AttachRequest>): Promise<void> {
    let known = false;
    try {
      for await (const request of requests) {
        if (known) this.#calls.receive(request);
        else this.#welcome(request);
        known = true;
      }
      this.fail(gone('it ended its stream'));
    } catch (error) {
      this.fail(asFailure(error));
    }
  }

  #welcome({ event }: AttachRequest): void {
    if (event.case !== 'ready') throw gone('it did not begin with its token');
    if (!sameToken(event.value.token, this.#token)) throw gone('it showed a wrong token');
    if (event.value.protocolVersion !== PROTOCOL_VERSION) {
      throw gone(`it speaks protocol ${event.value.protocolVersion}, not ${PROTOCOL_VERSION}`);
    }
    this.#pid = event.value.pid;
    this.#ready.resolve();
  }
}

function sameToken(shown: string, expected: string): boolean {
  const [a, b] = [Buffer.from(shown), Buffer.from(expected)];
  return expected !== '' && a.length === b.length && timingSafeEqual(a, b);
}

function gone(reason: string, cause?: unknown): BulkheadError {
  return new BulkheadError('worker_failed', `the worker failed: ${reason}`, { cause });
}

function asFailure(error: unknown): BulkheadError {
  if (BulkheadError.is(error) && error.code === 'worker_failed') return error;
  return gone(error instanceof Error ? error.message : 'its stream broke', error);
}
