import {
  BulkheadError,
  type Clock,
  type FileState,
  type Timers,
  type ToolHost,
  type ToolHostCall,
  type ToolPlan,
  type ToolResult,
  type ToolUpdate,
} from '@bulkhead/protocol';
import type { WorkerConnection } from '@bulkhead/tools';
import { FairPlaces } from './fair-places.ts';

export interface WorkerProcess {
  readonly pid: number;
  readonly connection: WorkerConnection;
}

/** With this many workers alive, or half of the maximum, none is started ahead of use. */
const MAX_PREWARMED = 4;

/** The longest a call waits for a worker when all are busy. */
const WAIT_MS = 120_000;

/** A worker ends when it was idle this long, looked at every few seconds [P1]. */
const IDLE_MS = 60_000;
const SWEEP_MS = 5_000;

/** The purpose of a worker: one session in one folder, for its whole life. */
interface WorkerPlace {
  readonly sessionId: string;
  readonly workingFolder: string;
}

interface Slot {
  /** Starts when it has a place. */
  readonly worker: Promise<WorkerProcess>;
  /** Ends its wait for a place. */
  readonly left: AbortController;
  /** True from when it has a place. */
  hasPlace: boolean;
  pid: number;
  calls: number;
  idleSince: number;
}

/**
 * The host of file tools: one boxed worker per session and working folder, started when first
 * needed, at most `max` alive. When all are taken, the longest idle one makes room, and calls wait
 * in line until one is idle. A dying worker fails its calls; the next call gets a new one. Why none
 * serves two sessions: docs/decisions/0014-shared-workers.md.
 */
export class WorkerPool implements ToolHost {
  readonly #spawn: (place: WorkerPlace) => Promise<WorkerProcess>;
  readonly #clock: Clock;
  readonly #max: number;
  readonly #places: FairPlaces;
  readonly #slots = new Map<string, Slot>();
  readonly #sweep: NodeJS.Timeout;
  /** Workers that are ending. */
  #ending = 0;

  constructor(parts: {
    readonly spawn: (place: WorkerPlace) => Promise<WorkerProcess>;
    readonly clock: Clock;
    readonly timers: Timers;
    /** Most workers alive at once. */
    readonly max: number;
  }) {
    this.#spawn = parts.spawn;
    this.#clock = parts.clock;
    this.#max = parts.max;
    this.#places = new FairPlaces({
      places: parts.max,
      timers: parts.timers,
      waitMs: WAIT_MS,
      full: (seconds) => allBusy(parts.max, seconds),
    });
    this.#sweep = setInterval(() => this.#endIdle(), SWEEP_MS);
    this.#sweep.unref();
  }

  /** @throws BulkheadError `worker_failed`: then the outcome of the call is unknown */
  execute(call: ToolHostCall, update: ToolUpdate, signal: AbortSignal): Promise<ToolResult> {
    return this.#use(call, signal, `run ${call.tool}`, (worker) => worker.run(call, update, signal));
  }

  /** @throws BulkheadError `worker_failed` */
  plan(call: ToolHostCall, signal: AbortSignal): Promise<ToolPlan> {
    return this.#use(call, signal, `plan ${call.tool}`, (worker) => worker.plan(call, signal));
  }

  /**
   * @param where at most 64 paths, as the arguments of the call named them
   * @throws BulkheadError `worker_failed`; `cancelled`
   */
  inspect(where: Parameters<ToolHost['inspect']>[0], signal: AbortSignal): Promise<readonly FileState[]> {
    const { actionId, paths } = where;
    return this.#use(where, signal, 'look at files', (worker) => worker.inspect(actionId, paths, signal));
  }

  /** A slot in use is not idle, for any use. */
  async #use<Outcome>(
    place: WorkerPlace,
    signal: AbortSignal,
    what: string,
    work: (worker: WorkerConnection) => Promise<Outcome>,
  ): Promise<Outcome> {
    const slot = this.#slotFor(place);
    slot.calls += 1;
    try {
      return await work((await unlessAborted(slot.worker, signal)).connection);
    } catch (error) {
      const { code, message, fix } = BulkheadError.from(error);
      if (code === 'cancelled') throw error;
      throw new BulkheadError('worker_failed', `the worker could not ${what}: ${message}`, {
        cause: error,
        ...(fix === undefined ? {} : { fix }),
      });
    } finally {
      slot.calls -= 1;
      slot.idleSince = this.#clock.monotonic();
      if (slot.calls === 0 && !slot.hasPlace) slot.left.abort();
      this.#makeRoom();
    }
  }

  /** Starts a session's worker ahead of its first call. Failures appear at its first use. */
  prewarm(sessionId: string, workingFolder: string): void {
    // Many sessions at once would spend memory on workers that most of them never call.
    if (this.#slots.size >= Math.min(MAX_PREWARMED, this.#max / 2)) return;
    this.#slotFor({ sessionId, workingFolder });
  }

  list(): readonly { readonly pid: number; readonly sessionId: string }[] {
    return [...this.#slots].flatMap(([key, { pid }]) =>
      pid === 0 ? [] : [{ pid, sessionId: key.slice(0, key.indexOf(' ')) }],
    );
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep);
    const slots = [...this.#slots.values()];
    for (const { left } of slots) left.abort();
    this.#slots.clear();
    await Promise.allSettled(slots.map((slot) => closeWorker(slot.worker)));
  }

  #slotFor(place: WorkerPlace): Slot {
    const key = `${place.sessionId} ${place.workingFolder}`;
    const known = this.#slots.get(key);
    if (known !== undefined) return known;
    const left = new AbortController();
    const worker = this.#places.enter(left.signal).then((room) => this.#start(place, slot, room));
    const slot: Slot = {
      worker,
      left,
      hasPlace: false,
      pid: 0,
      calls: 0,
      idleSince: this.#clock.monotonic(),
    };
    this.#slots.set(key, slot);
    const forget = (): void => {
      if (this.#slots.get(key) === slot) this.#slots.delete(key);
    };
    left.signal.addEventListener('abort', forget, { once: true });
    worker.then(({ connection }) => void connection.closed.then(forget), forget);
    this.#makeRoom();
    return slot;
  }

  /** @param room released when nothing of the worker remains */
  async #start(place: WorkerPlace, slot: Slot, room: Disposable): Promise<WorkerProcess> {
    slot.hasPlace = true;
    try {
      // It got a place just after it was no longer needed.
      if (slot.left.signal.aborted) throw cancelled();
      const worker = await this.#spawn(place);
      slot.pid = worker.pid;
      void worker.connection.closed.then(() => room[Symbol.dispose]());
      return worker;
    } catch (error) {
      room[Symbol.dispose]();
      throw error;
    }
  }

  /** Ends as many idle workers as are needed, the longest idle ones first. */
  #makeRoom(): void {
    const idle = [...this.#slots].filter(([, { calls, hasPlace }]) => calls === 0 && hasPlace);
    const oldest = idle.sort(([, a], [, b]) => a.idleSince - b.idleSince);
    const wanted = Math.max(0, this.#places.waiting - this.#ending);
    for (const [key, slot] of oldest.slice(0, wanted)) void this.#end(key, slot);
  }

  async #end(key: string, slot: Slot): Promise<void> {
    this.#slots.delete(key);
    this.#ending += 1;
    await closeWorker(slot.worker);
    this.#ending -= 1;
  }

  #endIdle(): void {
    const now = this.#clock.monotonic();
    for (const [key, slot] of this.#slots) {
      if (slot.calls > 0 || !slot.hasPlace || now - slot.idleSince < IDLE_MS) continue;
      void this.#end(key, slot);
    }
  }
}

async function closeWorker(starting: Promise<WorkerProcess>): Promise<void> {
  try {
    const { connection } = await starting;
    connection.close();
    await connection.closed;
  } catch {
    // It never started: nothing needs closing.
  }
}

/**
 * @throws BulkheadError `cancelled` once `signal` aborts; a running worker receives the signal
 *   separately
 */
async function unlessAborted<T>(waited: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) throw cancelled();
  const { promise, reject } = Promise.withResolvers<never>();
  const cancel = (): void => reject(cancelled());
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await Promise.race([waited, promise]);
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

function cancelled(): BulkheadError {
  return new BulkheadError('cancelled', 'it was cancelled while it waited for a worker');
}

function allBusy(max: number, seconds: number): BulkheadError {
  return new BulkheadError('busy', `all ${max} workers were busy for ${seconds} s; it was not begun`, {
    retryable: true,
    fix: 'Try again when other sessions do less, or raise pools.workers.',
  });
}
