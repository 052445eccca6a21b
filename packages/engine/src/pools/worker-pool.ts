import {
  BulkheadError,
  type Clock,
  type FileState,
  type ToolHost,
  type ToolHostCall,
  type ToolPlan,
  type ToolResult,
  type ToolUpdate,
} from '@bulkhead/protocol';
import type { WorkerConnection } from '@bulkhead/tools';

export interface WorkerProcess {
  readonly pid: number;
  readonly connection: WorkerConnection;
}

/** With so many workers alive none is started on suspicion. */
const MAX_PREWARMED = 4;

interface Slot {
  readonly worker: Promise<WorkerProcess>;
  pid: number;
  calls: number;
  idleSince: number;
}

/**
 * The host of file tools: one boxed worker per session and working folder, started when first needed, ended
 * when idle. A worker that dies fails the calls it had; the next call gets a new one.
 */
export class WorkerPool implements ToolHost {
  readonly #spawn: (call: {
    readonly sessionId: string;
    readonly workingFolder: string;
  }) => Promise<WorkerProcess>;
  readonly #clock: Clock;
  readonly #idleMs: number;
  readonly #slots = new Map<string, Slot>();
  readonly #sweep: NodeJS.Timeout;

  constructor(parts: {
    readonly spawn: (call: {
      readonly sessionId: string;
      readonly workingFolder: string;
    }) => Promise<WorkerProcess>;
    readonly clock: Clock;
    readonly idleMs: number;
  }) {
    this.#spawn = parts.spawn;
    this.#clock = parts.clock;
    this.#idleMs = parts.idleMs;
    this.#sweep = setInterval(() => this.#endIdle(), Math.min(parts.idleMs, 5_000));
    this.#sweep.unref();
  }

  /** @throws BulkheadError `worker_failed`: whether the call took effect is then unknown */
  execute(call: ToolHostCall, update: ToolUpdate, signal: AbortSignal): Promise<ToolResult> {
    return this.#use(call, `run ${call.tool}`, (worker) => worker.run(call, update, signal));
  }

  /** @throws BulkheadError `worker_failed` */
  plan(call: ToolHostCall, signal: AbortSignal): Promise<ToolPlan> {
    return this.#use(call, `plan ${call.tool}`, (worker) => worker.plan(call, signal));
  }

  /**
   * @param where at most 64 paths, as the arguments of the call named them
   * @throws BulkheadError `worker_failed`; `cancelled`
   */
  inspect(where: Parameters<ToolHost['inspect']>[0], signal: AbortSignal): Promise<readonly FileState[]> {
    const { actionId, paths } = where;
    return this.#use(where, 'look at files', (worker) => worker.inspect(actionId, paths, signal));
  }

  /** A slot in use is not idle, whatever it is used for. */
  async #use<Outcome>(
    { sessionId, workingFolder }: { readonly sessionId: string; readonly workingFolder: string },
    what: string,
    work: (worker: WorkerConnection) => Promise<Outcome>,
  ): Promise<Outcome> {
    const slot = this.#slotFor(sessionId, workingFolder);
    slot.calls += 1;
    try {
      return await work((await slot.worker).connection);
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
    }
  }

  /** Starts a session's worker ahead of its first call. Failures show when it is used. */
  prewarm(sessionId: string, workingFolder: string): void {
    // Many sessions at once would pay, in memory, for workers that most of them never call.
    if (this.#slots.size >= MAX_PREWARMED) return;
    this.#slotFor(sessionId, workingFolder);
  }

  list(): readonly { readonly pid: number; readonly sessionId: string }[] {
    return [...this.#slots].flatMap(([key, { pid }]) =>
      pid === 0 ? [] : [{ pid, sessionId: key.slice(0, key.indexOf(' ')) }],
    );
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep);
    const slots = [...this.#slots.values()];
    this.#slots.clear();
    await Promise.allSettled(slots.map((slot) => closeWorker(slot.worker)));
  }

  #slotFor(sessionId: string, workingFolder: string): Slot {
    const key = `${sessionId} ${workingFolder}`;
    const known = this.#slots.get(key);
    if (known !== undefined) return known;
    const slot: Slot = {
      worker: this.#spawn({ sessionId, workingFolder }),
      pid: 0,
      calls: 0,
      idleSince: this.#clock.monotonic(),
    };
    this.#slots.set(key, slot);
    const forget = (): void => {
      if (this.#slots.get(key) === slot) this.#slots.delete(key);
    };
    slot.worker.then((worker) => {
      slot.pid = worker.pid;
      void worker.connection.closed.then(forget);
    }, forget);
    return slot;
  }

  #endIdle(): void {
    const now = this.#clock.monotonic();
    for (const [key, slot] of this.#slots) {
      if (slot.calls > 0 || now - slot.idleSince < this.#idleMs) continue;
      this.#slots.delete(key);
      void closeWorker(slot.worker);
    }
  }
}

async function closeWorker(starting: Promise<WorkerProcess>): Promise<void> {
  try {
    const { connection } = await starting;
    connection.close();
    await connection.closed;
  } catch {
    // It never started: nothing is left to close.
  }
}
