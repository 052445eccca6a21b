import type { AgentConnection, AgentEvent } from '@bulkhead/agent';
import { BulkheadError, type Clock, type Timers } from '@bulkhead/protocol';
import { RespawnBudget } from './respawn-budget.ts';

/** A fresh agent starts so long after a run: not beside what follows the run, nor in an engine that then ends. */
const REPLENISH_AFTER_MS = 300;

/** A live agent process and the stream to it. */
export interface AgentProcess {
  readonly pid: number;
  readonly connection: AgentConnection;
  /**
   * The agent's next event; undefined once it is gone. @throws BulkheadError `protocol_violation`
   */
  next(): Promise<AgentEvent | undefined>;
  /** Ends the process now; the connection closes with it. */
  kill(): void;
}

interface Slot {
  readonly agent: AgentProcess;
  /** The one session this agent serves; undefined until it is first leased. */
  session: string | undefined;
  busy: boolean;
  idleSince: number;
}

/**
 * Live agents: at most `max`, each for one session in its whole life, so that no session's data can
 * reach another through an agent. One fresh agent is kept ready. Idle ones end after `idleMs` [P1].
 */
export class AgentPool {
  readonly #spawn: () => Promise<AgentProcess>;
  readonly #clock: Clock;
  readonly #timers: Timers;
  readonly #max: number;
  readonly #idleMs: number;
  readonly #slots = new Set<Slot>();
  readonly #budgets = new Map<string, RespawnBudget>();
  readonly #waiting = new Set<() => void>();
  readonly #sweep: NodeJS.Timeout;
  #starting = 0;
  /** A start under way that no run has claimed yet. */
  #spare: Promise<void> | undefined;
  #replenishing: Disposable | undefined;
  #closed = false;

  constructor(parts: {
    /** Starts a boxed agent and completes the handshake. */
    readonly spawn: () => Promise<AgentProcess>;
    readonly clock: Clock;
    readonly timers: Timers;
    readonly max: number;
    readonly idleMs: number;
  }) {
    this.#spawn = parts.spawn;
    this.#clock = parts.clock;
    this.#timers = parts.timers;
    this.#max = parts.max;
    this.#idleMs = parts.idleMs;
    this.#sweep = setInterval(() => this.#endIdle(), Math.min(parts.idleMs, 5_000));
    this.#sweep.unref();
  }

  /** Keeps one unbound agent ready, in place of the longest idle one if needed. */
  async prewarm(): Promise<void> {
    if (this.#closed || this.#spare !== undefined) return;
    if ([...this.#slots].some((slot) => slot.session === undefined)) return;
    const full = this.#slots.size + this.#starting >= this.#max;
    if (full && (this.#max === 1 || !this.#endOldestIdle())) return;
    this.#spare = this.#start();
    try {
      await this.#spare;
    } finally {
      this.#spare = undefined;
    }
  }

  /**
   * An agent for a run of `sessionId`: its own if it still lives, else a fresh one. Waits for room.
   *
   * @throws BulkheadError `agent_failed` when agents of this session die faster than the budget
   *   allows [P8]
   */
  async lease(sessionId: string, signal: AbortSignal): Promise<AgentProcess> {
    for (;;) {
      signal.throwIfAborted();
      if (this.#closed) throw new BulkheadError('cancelled', 'the engine is stopping');
      const slot = this.#usable(sessionId);
      if (slot !== undefined) {
        slot.session = sessionId;
        slot.busy = true;
        return slot.agent;
      }
      await this.#makeRoom(signal);
    }
  }

  /** Gives an agent back after a run. */
  release(agent: AgentProcess): void {
    for (const slot of this.#slots) {
      if (slot.agent !== agent) continue;
      slot.busy = false;
      slot.idleSince = this.#clock.monotonic();
    }
    this.#wakeNext();
    this.#replenishing ??= this.#timers.after(REPLENISH_AFTER_MS, () => {
      this.#replenishing = undefined;
      void this.#replenish();
    });
  }

  /** Notes that an agent of this session died in a run; the budget is per session. */
  noteDeath(sessionId: string): void {
    const budget = this.#budgets.get(sessionId) ?? new RespawnBudget();
    this.#budgets.set(sessionId, budget);
    if (!budget.spend(this.#clock.monotonic())) {
      throw new BulkheadError(
        'agent_failed',
        'the agent of this session died more than 5 times in a minute',
        {
          fix: 'See `bulkhead logs`. Other sessions go on.',
        },
      );
    }
  }

  list(): readonly { readonly pid: number; readonly sessionId: string }[] {
    return [...this.#slots].map(({ agent, session }) => ({ pid: agent.pid, sessionId: session ?? '' }));
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#sweep);
    this.#replenishing?.[Symbol.dispose]();
    for (const wake of this.#waiting) wake();
    const open = [...this.#slots].map(({ agent }) => agent);
    await Promise.all(open.map(({ connection }) => connection.close()));
  }

  #usable(sessionId: string): Slot | undefined {
    const idle = [...this.#slots].filter((slot) => !slot.busy);
    return idle.find((slot) => slot.session === sessionId) ?? idle.find((slot) => slot.session === undefined);
  }

  async #makeRoom(signal: AbortSignal): Promise<void> {
    if (this.#spare !== undefined) return await this.#spare;
    if (this.#slots.size + this.#starting < this.#max) return await this.#start();
    if (this.#endOldestIdle()) return await this.#start();
    const { promise, resolve } = Promise.withResolvers<void>();
    // A waiter that gives up must leave the line, or the next release would wake no one.
    this.#waiting.add(resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
    await promise;
    this.#waiting.delete(resolve);
  }

  /** @returns false if none is idle */
  #endOldestIdle(): boolean {
    const idle = [...this.#slots].filter((slot) => !slot.busy);
    const [oldest] = idle.sort((a, b) => a.idleSince - b.idleSince);
    if (oldest !== undefined) this.#end(oldest);
    return oldest !== undefined;
  }

  #wakeNext(): void {
    const [wake] = this.#waiting;
    wake?.();
  }

  async #start(): Promise<void> {
    this.#starting += 1;
    try {
      const agent = await this.#spawn();
      const slot: Slot = { agent, session: undefined, busy: false, idleSince: this.#clock.monotonic() };
      this.#slots.add(slot);
      void agent.connection.closed.then(() => {
        this.#slots.delete(slot);
        this.#wakeNext();
      });
      if (this.#closed) await agent.connection.close();
    } finally {
      this.#starting -= 1;
    }
  }

  async #replenish(): Promise<void> {
    try {
      await this.prewarm();
    } catch {
      // The next lease starts one and reports its error.
    }
  }

  #endIdle(): void {
    const now = this.#clock.monotonic();
    for (const slot of this.#slots) {
      if (slot.session !== undefined && !slot.busy && now - slot.idleSince >= this.#idleMs) this.#end(slot);
    }
  }

  #end(slot: Slot): void {
    this.#slots.delete(slot);
    void slot.agent.connection.close();
  }
}
