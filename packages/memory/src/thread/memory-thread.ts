import { Worker } from 'node:worker_threads';
import { BulkheadError, describeError, type Timers } from '@bulkhead/protocol';
import type {
  GivenText,
  IndexSize,
  MemoryIndex,
  MemoryIndexOptions,
  MemoryText,
  SearchOptions,
  SyncOptions,
  SyncReport,
} from '../index/index.ts';
import type { MemoryHit } from '../memory-hit.ts';
import { Conversation } from './conversation.ts';
import type {
  ThreadCall,
  ThreadData,
  ThreadMessage,
  ThreadQuestion,
  ThreadValue,
} from './thread-messages.ts';

/** Options of the index's thread. */
export interface MemoryThreadOptions extends Omit<MemoryIndexOptions, 'clock' | 'timers'> {
  /** File of the thread: `memory.js` of the build. */
  readonly entry: URL;
  readonly timers: Timers;
  /**
   * Milliseconds without a question before the thread ends; the next question starts a new one.
   * Default: a minute.
   */
  readonly idle?: number;
}

const DEFAULT_IDLE = 60_000;
/** Megabytes of heap: above it the thread ends, not the engine. */
const MOST_HEAP = 1_024;

interface RunningThread {
  readonly worker: Worker;
  readonly conversation: Conversation<ThreadCall, ThreadQuestion>;
}

/**
 * The index in a separate thread, which starts with the first question: a home without memory costs
 * nothing. A crashed thread is replaced, and its open questions are repeated once.
 */
export class MemoryThread implements MemoryIndex {
  readonly #options: MemoryThreadOptions;
  readonly #texts = new Map<string, GivenText>();
  #running: RunningThread | undefined;
  #idle: Disposable | undefined;
  #calls = 0;
  #closed = false;

  constructor(options: MemoryThreadOptions) {
    this.#options = options;
  }

  /** True while the thread exists. */
  get started(): boolean {
    return this.#running !== undefined;
  }

  async sync(texts: readonly MemoryText[], { signal, ...options }: SyncOptions = {}): Promise<SyncReport> {
    for (const text of texts) if ('read' in text) this.#texts.set(text.path, text);
    const named = texts.map((text) =>
      'read' in text ? { source: text.source, path: text.path, version: text.version } : text,
    );
    return expectReport(await this.#call({ method: 'sync', texts: named, options }, signal));
  }

  async search(query: string, { signal, ...options }: SearchOptions): Promise<readonly MemoryHit[]> {
    return expectHits(await this.#call({ method: 'search', query, options }, signal));
  }

  async size(): Promise<IndexSize> {
    return expectSize(await this.#call({ method: 'size' }));
  }

  async clear(): Promise<void> {
    await this.#call({ method: 'clear' });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    await this.#stop();
  }

  async #call(call: ThreadCall, signal?: AbortSignal): Promise<ThreadValue> {
    if (this.#closed) throw new BulkheadError('cancelled', 'the memory index is closed');
    this.#idle?.[Symbol.dispose]();
    this.#calls += 1;
    try {
      return await this.#askTwice(call, signal);
    } finally {
      this.#calls -= 1;
      if (this.#calls === 0 && !this.#closed) this.#stopWhenIdle();
    }
  }

  async #askTwice(call: ThreadCall, signal: AbortSignal | undefined): Promise<ThreadValue> {
    try {
      return await this.#thread().conversation.ask(call, signal);
    } catch (error) {
      if (!(error instanceof ThreadEnded) || this.#closed) throw error;
    }
    return await this.#thread().conversation.ask(call, signal);
  }

  #thread(): RunningThread {
    this.#running ??= this.#start();
    return this.#running;
  }

  #start(): RunningThread {
    const { entry, path, textCap, embedder, onNotice } = this.#options;
    const workerData: ThreadData = {
      path,
      ...(textCap === undefined ? {} : { textCap }),
      ...(embedder === undefined ? {} : { embedder: { id: embedder.id, dimension: embedder.dimension } }),
    };
    // The thread needs nothing of the engine's environment, and must not get its keys.
    const worker = new Worker(entry, {
      workerData,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP },
    });
    const conversation = new Conversation<ThreadCall, ThreadQuestion>(worker, (asked, signal) =>
      this.#answer(asked, signal),
    );
    const running = { worker, conversation };
    const ended = (why: string) => {
      if (this.#running === running) this.#running = undefined;
      conversation.end(new ThreadEnded(why));
    };
    worker.on('message', (message: ThreadMessage<ThreadQuestion>) => {
      if (message.kind === 'notice') onNotice(message.notice);
      else conversation.receive(message);
    });
    worker.on('error', (error) => ended(describeError(error)));
    worker.on('exit', (code) => ended(`it ended with code ${code}`));
    return running;
  }

  async #answer(asked: ThreadQuestion, signal: AbortSignal): Promise<ThreadValue> {
    if (asked.method === 'embed')
      return await this.#options.embedder?.embed(asked.texts, asked.purpose, signal);
    const text = this.#texts.get(asked.path);
    if (text?.version !== asked.version)
      throw new BulkheadError('not_found', 'there is another version by now');
    return await text.read();
  }

  #stopWhenIdle(): void {
    this.#idle = this.#options.timers.after(this.#options.idle ?? DEFAULT_IDLE, () => {
      // Errors at its end concern no caller; the next question starts another thread.
      void this.#stop().catch(() => undefined);
    });
  }

  /** Lets the thread close its database, and ends it if it doesn't. */
  async #stop(): Promise<void> {
    this.#idle?.[Symbol.dispose]();
    const running = this.#running;
    this.#running = undefined;
    if (running === undefined) return;
    try {
      await running.conversation.ask({ method: 'close' }, AbortSignal.timeout(CLOSE_TIMEOUT));
    } catch {
      // It crashed or hangs: at most its last transaction is missing, which the next sync repairs.
    } finally {
      await running.worker.terminate();
    }
  }
}

/** Milliseconds for finishing writes. */
const CLOSE_TIMEOUT = 5_000;

/** The thread has ended; retryable, as it is replaced. */
class ThreadEnded extends BulkheadError {
  constructor(why: string) {
    super('internal', `the thread of the memory index ended: ${why}`, { retryable: true });
  }
}

/**
 * Values from the thread, checked by the type of call. @throws BulkheadError `internal` for a value
 * of another type
 */
function expectHits(value: ThreadValue): readonly MemoryHit[] {
  if (Array.isArray(value) && value.every(isHit)) return value;
  throw unexpected();
}

function expectReport(value: ThreadValue): SyncReport {
  if (typeof value === 'object' && 'indexed' in value) return value;
  throw unexpected();
}

function expectSize(value: ThreadValue): IndexSize {
  if (typeof value === 'object' && 'chunks' in value) return value;
  throw unexpected();
}

function isHit(value: MemoryHit | Float32Array): value is MemoryHit {
  return 'source' in value;
}

function unexpected(): BulkheadError {
  return new BulkheadError('internal', 'the thread of the memory index gave an answer to another question');
}
