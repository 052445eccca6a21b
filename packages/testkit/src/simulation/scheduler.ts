import type { Timers } from '@bulkhead/protocol';
import type { SeededRandom } from './seeded-random.ts';
import type { Trace } from './trace.ts';
import type { VirtualTime } from './virtual-time.ts';

/** A future event: the answer to an effect, an arriving message, a timer. */
interface PendingEvent {
  readonly label: string;
  /** Monotonic milliseconds: earliest time. */
  readonly due: number;
  /** Events of one lane happen in the order of their requests. */
  readonly lane: string | undefined;
  readonly scope: EventScope;
  readonly run: () => void;
}

/** Delays of events, in milliseconds. Most are zero, so that the seed chooses among many. */
const DELAYS = { none: 70, short: 24, long: 6 } as const;

/** Probability that time moves a little although an event is due: a slow machine. */
const SLOW = 0.02;
const SLOW_MS = 5;

/**
 * The only place that advances a simulated world. All microtasks finish between two events, so
 * nothing depends on the machine. The seed chooses one of the due events; if none is due, time
 * jumps to the next.
 */
export class Scheduler {
  readonly #random: SeededRandom;
  readonly #time: VirtualTime;
  readonly #trace: Trace;
  #pending: PendingEvent[] = [];
  #steps = 0;

  constructor(random: SeededRandom, time: VirtualTime, trace: Trace) {
    this.#random = random;
    this.#time = time;
    this.#trace = trace;
  }

  get steps(): number {
    return this.#steps;
  }

  /** Labels of future events, soonest first: the reason why a world does not come to rest. */
  waiting(): readonly string[] {
    const inOrder = this.#pending.toSorted((a, b) => a.due - b.due);
    return inOrder.map(({ label, due, scope }) => `${due} ${scope.name} ${label}`);
  }

  /** A part of the world that can end together with all its requests. */
  scope(name: string): EventScope {
    return new EventScope(name, this);
  }

  /**
   * Runs one event and everything that follows without waiting.
   *
   * @param until monotonic milliseconds: later events stay queued
   * @returns false if no event was left
   */
  async step(until = Number.POSITIVE_INFINITY): Promise<boolean> {
    const ready = this.#ready();
    const soonest = Math.min(...ready.map(({ due }) => due));
    if (ready.length === 0 || soonest > until) return false;
    const slip = this.#random.chance(SLOW) ? this.#random.between(1, SLOW_MS) : 0;
    this.#time.advanceTo(Math.max(soonest, this.#time.monotonic()) + slip);
    const now = this.#time.monotonic();
    const event = this.#random.pick(ready.filter(({ due }) => due <= now));
    this.#pending.splice(this.#pending.indexOf(event), 1);
    this.#steps += 1;
    this.#trace.note(`${now} ${event.scope.name} ${event.label}`);
    event.run();
    await this.drained();
    return true;
  }

  /** Resolves once no microtasks are left. */
  drained(): Promise<void> {
    return new Promise((resolve) => {
      setImmediate(resolve);
    });
  }

  /** For scopes. @param delay undefined leaves it to the seed */
  add(event: Omit<PendingEvent, 'due'>, delay: number | undefined): Disposable {
    const pending = { ...event, due: this.#time.monotonic() + (delay ?? this.#delay()) };
    this.#pending.push(pending);
    return {
      [Symbol.dispose]: () => {
        const at = this.#pending.indexOf(pending);
        if (at >= 0) this.#pending.splice(at, 1);
      },
    };
  }

  /** For scopes. */
  dropAll(scope: EventScope): void {
    this.#pending = this.#pending.filter((event) => event.scope !== scope);
  }

  /** Events without an earlier one in their lane. */
  #ready(): PendingEvent[] {
    const lanes = new Set<string>();
    return this.#pending.filter(({ lane }) => {
      if (lane === undefined) return true;
      const first = !lanes.has(lane);
      lanes.add(lane);
      return first;
    });
  }

  #delay(): number {
    const kind = this.#random.weighted(DELAYS);
    if (kind === 'none') return 0;
    return kind === 'short' ? this.#random.between(1, 3) : this.#random.between(4, 40);
  }
}

/**
 * The scheduler's interface for one part of the world. After the part's end none of its events
 * happen.
 */
export class EventScope implements Timers {
  readonly name: string;
  readonly #scheduler: Scheduler;
  #ended = false;

  constructor(name: string, scheduler: Scheduler) {
    this.name = name;
    this.#scheduler = scheduler;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** A timer: `run` after exactly this many milliseconds, or later on a slow machine. */
  after(ms: number, run: () => void): Disposable {
    return this.#add(`timer of ${ms} ms`, run, ms, undefined);
  }

  /** `run` at some time. @param ms delay; chosen by the seed if absent */
  later(label: string, run: () => void, ms?: number): Disposable {
    return this.#add(label, run, ms, undefined);
  }

  /** `run` at some time, but after earlier events of this lane. */
  send(lane: string, label: string, run: () => void): void {
    this.#add(label, run, undefined, lane);
  }

  /**
   * Resolves at some time; never for an ended scope.
   *
   * @param signal aborts the wait immediately: it rejects with the signal's reason
   */
  wait(label: string, options: { readonly ms?: number; readonly signal?: AbortSignal } = {}): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const event = this.#add(label, resolve, options.ms, undefined);
    const abort = (): void => {
      event[Symbol.dispose]();
      reject(options.signal?.reason);
    };
    if (options.signal?.aborted) abort();
    else options.signal?.addEventListener('abort', abort, { once: true });
    return promise;
  }

  /** Ends this part of the world. */
  end(): void {
    this.#ended = true;
    this.#scheduler.dropAll(this);
  }

  #add(label: string, run: () => void, ms: number | undefined, lane: string | undefined): Disposable {
    if (this.#ended) return { [Symbol.dispose]: () => {} };
    return this.#scheduler.add({ label, run, lane, scope: this }, ms);
  }
}
