import type { Duplex } from 'node:stream';
import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import type { LinkedObject } from '@bulkhead/files';
import {
  BulkheadError,
  type ErrorFields,
  type FileState,
  type ToolPlan,
  type ToolResult,
} from '@bulkhead/protocol';
import { type AskProtected, type AttachRequest, AttachResponseSchema } from '@bulkhead/protocol/worker';
import { type AcceptedProcess, type AcceptOptions, acceptProcess } from '@bulkhead/wire';
import { type AnswerReader, OpenRequests, violation } from './open-requests.ts';
import { readPlan, resultReader, statesReader } from './read-answers.ts';
import type { WorkerConnection } from './worker-connection.ts';
import { MAX_INSPECTED_PATHS, workerWire } from './worker-wire.ts';

export interface ServeWorkerOptions extends Pick<AcceptOptions, 'admit'> {
  /** Milliseconds until the worker must have shown its token. */
  readonly readyMs: number;
  /**
   * Milliseconds between a cancellation or a shutdown and the worker's answer to it. Absent: 2,000.
   */
  readonly graceMs?: number;
  /**
   * Answers the worker's questions about files outside its box. Absent: files with several names
   * are all closed to it.
   */
  readonly guard?: WorkerGuard;
}

/** Knows the protected files, wherever a mount shows them. */
export interface WorkerGuard {
  /** Reports which of the worker's open files are protected ones under other names, in order. */
  areProtected(objects: readonly LinkedObject[]): Promise<readonly boolean[]>;
  /**
   * Absolute paths in the worker's folders where a mount shows something protected, now or at its
   * start.
   */
  shownAt(): readonly string[];
}

const ALL_CLOSED: WorkerGuard = {
  areProtected: async (objects) => objects.map(() => true),
  shownAt: () => [],
};

/** Limit of one worker's unanswered questions. */
const MAX_QUESTIONS = 256;

const DEFAULT_GRACE_MS = 2_000;

type Directive = NonNullable<MessageInitShape<typeof AttachResponseSchema>['directive']>;

const CANCELLED = { text: 'cancelled', isError: true } as const;
const TOO_LARGE = { text: 'the arguments are larger than a worker accepts', isError: true } as const;

/**
 * Connects to this worker over its own link, and resolves once the worker has shown the expected
 * token and protocol version. Any protocol violation ends the stream.
 * @param duplex the engine's end of the worker's descriptor 3; the connection destroys it
 * @param options a number stands for `readyMs`
 * @throws BulkheadError `worker_failed`, or `sandbox_unavailable` as `admit` throws it
 */
export async function serveWorker(
  duplex: Duplex,
  expectedToken: string,
  options: number | ServeWorkerOptions,
): Promise<WorkerConnection> {
  const {
    readyMs,
    graceMs = DEFAULT_GRACE_MS,
    guard = ALL_CLOSED,
    ...rest
  } = typeof options === 'number' ? { readyMs: options } : options;
  try {
    const accept = { ...rest, token: expectedToken, timeoutMs: readyMs };
    const worker = await acceptProcess(duplex, workerWire, accept);
    return new ServedWorker(worker, graceMs, guard);
  } catch (error) {
    if (BulkheadError.is(error) && error.code === 'sandbox_unavailable') throw error;
    throw workerFailed(error);
  }
}

class ServedWorker implements WorkerConnection {
  readonly pid: number;
  readonly closed: Promise<void>;
  readonly #worker: AcceptedProcess<AttachRequest>;
  readonly #graceMs: number;
  readonly #guard: WorkerGuard;
  readonly #requests = new OpenRequests();
  #inspections = 0;
  #questions = 0;
  #failure: BulkheadError | undefined;

  constructor(worker: AcceptedProcess<AttachRequest>, graceMs: number, guard: WorkerGuard) {
    this.#guard = guard;
    this.#worker = worker;
    this.#graceMs = graceMs;
    this.pid = worker.pid;
    this.closed = worker.closed;
    void this.#receive();
  }

  async run(...[call, update, signal]: Parameters<WorkerConnection['run']>): Promise<ToolResult> {
    const { actionId, tool, canonicalArguments: argumentsJson } = call;
    this.#checkAlive();
    if (signal.aborted) return CANCELLED;
    const run: Directive = {
      case: 'run',
      value: { actionId, tool, argumentsJson, shownAt: this.#shownAt() },
    };
    return (await this.#ask(actionId, run, resultReader(update), signal)) ?? TOO_LARGE;
  }

  async plan(...[call, signal]: Parameters<WorkerConnection['plan']>): Promise<ToolPlan> {
    const { actionId, tool, canonicalArguments: argumentsJson } = call;
    this.#checkAlive();
    if (signal.aborted) return { ...CANCELLED, changes: [] };
    const value = { actionId, tool, argumentsJson, plan: true, shownAt: this.#shownAt() };
    const run: Directive = { case: 'run', value };
    return (await this.#ask(actionId, run, readPlan, signal)) ?? { ...TOO_LARGE, changes: [] };
  }

  async inspect(
    ...[actionId, paths, signal]: Parameters<WorkerConnection['inspect']>
  ): Promise<readonly FileState[]> {
    this.#checkAlive();
    if (signal.aborted) throw cancelled();
    if (paths.length > MAX_INSPECTED_PATHS) throw tooManyPaths();
    this.#inspections += 1;
    const requestId = `inspection-${this.#inspections}`;
    const inspect: Directive = {
      case: 'inspect',
      value: { requestId, paths: [...paths], actionId, shownAt: this.#shownAt() },
    };
    const states = await this.#ask(requestId, inspect, statesReader(paths), signal);
    if (signal.aborted) throw cancelled();
    if (states === undefined) throw tooManyPaths();
    return states;
  }

  /**
   * Sends a request and waits for its answer. An aborted request is cancelled by its id and must
   * still be answered; otherwise the connection gives up the worker.
   * @returns undefined if the request is larger than a worker accepts
   */
  async #ask<Answer extends object>(
    id: string,
    directive: Directive,
    read: AnswerReader<Answer>,
    signal: AbortSignal,
  ): Promise<Answer | undefined> {
    const { answer, forget } = this.#requests.open(id, read);
    let timer: NodeJS.Timeout | undefined;
    const cancel = () => {
      this.#send({ case: 'cancel', value: { actionId: id } });
      const silent = failed('the worker did not answer a cancellation');
      timer = setTimeout(() => this.#fail(silent), this.#graceMs);
    };
    signal.addEventListener('abort', cancel, { once: true });
    try {
      if (this.#send(directive)) return await answer;
      forget();
      return undefined;
    } finally {
      signal.removeEventListener('abort', cancel);
      clearTimeout(timer);
    }
  }

  #shownAt(): string[] {
    return [...this.#guard.shownAt()];
  }

  /** @throws BulkheadError `protocol_violation` for too many questions */
  #answer({ questionId, objects }: AskProtected): void {
    if (this.#questions >= MAX_QUESTIONS) throw violation('too many questions');
    this.#questions += 1;
    const asked = objects.map(({ device, inode, changedAtNs }) => ({
      dev: device,
      ino: inode,
      ctimeNs: changedAtNs,
    }));
    this.#guard
      .areProtected(asked)
      // On failure the files stay closed.
      .catch(() => asked.map(() => true))
      .then((answers) => {
        this.#questions -= 1;
        this.#send({ case: 'toldProtected', value: { questionId, protected: [...answers] } });
      })
      .catch((error: unknown) => this.#fail(workerFailed(error)));
  }

  #checkAlive(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  async close(): Promise<void> {
    this.#send({ case: 'shutdown', value: {} });
    await this.#worker.close(this.#graceMs);
  }

  #send(directive: Directive): boolean {
    const message = create(AttachResponseSchema, { directive });
    return this.#worker.outbox.push(toBinary(AttachResponseSchema, message));
  }

  async #receive(): Promise<void> {
    try {
      for await (const request of this.#worker.events) {
        if (request.event.case === 'askProtected') this.#answer(request.event.value);
        else this.#requests.receive(request);
      }
      this.#fail(failed('the connection to the worker ended'));
    } catch (error) {
      this.#fail(workerFailed(error));
    }
  }

  /** Keeps the first reason; the connection ends with every open request. */
  #fail(reason: BulkheadError): void {
    this.#failure ??= reason;
    this.#requests.failAll(this.#failure);
    this.#worker.destroy(this.#failure);
  }
}

function cancelled(): BulkheadError {
  return new BulkheadError('cancelled', 'cancelled');
}

function tooManyPaths(): BulkheadError {
  return new BulkheadError('internal', 'a worker was to inspect more paths than it does at once');
}

/** Whatever the cause, callers need one fact: it is unknown whether their call took effect. */
function workerFailed(error: unknown): BulkheadError {
  const { message, fix } = BulkheadError.from(error);
  return failed(message, { cause: error, ...(fix === undefined ? {} : { fix }) });
}

function failed(reason: string, fields: ErrorFields = {}): BulkheadError {
  return new BulkheadError('worker_failed', reason, fields);
}
