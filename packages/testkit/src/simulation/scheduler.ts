import type { Timers } from '@bulkhead/protocol';
import type { SeededRandom } from './seeded-random.ts';
import type { Trace } from './trace.ts';
import type { VirtualTime } from './virtual-time.ts';

/** Something that will happen: the answer to an effect, a message that arrives, a timer. */
interface PendingEvent {
  readonly label: string;
  /** Monotonic milliseconds: not before. */
  readonly due: number;
  /** Events of one lane happen in the order they were asked for. */
  readonly lane: string | undefined;
  readonly scope: EventScope;
  readonly run: () => void;
}

/** How soon things happen, in milliseconds. Most at once, so that the seed chooses among many. */
const DELAYS = { none: 70, short: 24, long: 6 } as const;

/** With this probability time moves a little though something could happen at once: a slow machine. */
const SLOW = 0.02;
const SLOW_MS = 5;

/**
 * The one place where a simulated world goes on. Between two events every microtask is done, so between them the
 * world stands still: nothing that happens depends on the machine. One event is chosen by the seed among those that
 * are due; without any, time jumps to the next.
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

  /** Labels of what will happen, soonest first: what a world that doesn't come to rest waits for. */
  waiting(): readonly string[] {
    const inOrder = this.#pending.toSorted((a, b) => a.due - b.due);
    return inOrder.map(({ label, due, scope }) => `${due} ${scope.name} ${label}`);
  }

  /** A part of the world that can end, and with it all it had asked for. */
  scope(name: string): EventScope {
    return new EventScope(name, this);
  }

  /**
   * Lets one event happen and everything that follows from it without waiting.
   *
   * @param until monotonic milliseconds: later events stay where they are
   * @returns false if there was none
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

  /** Resolves once no microtask is left. */
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

  /** Events that no earlier one of their lane holds back. */
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

/** What one part of the world asks the scheduler for. Nothing of it happens once it is ended. */
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

  /** A timer: `run` in just so many milliseconds, or later on a slow machine. */
  after(ms: number, run: () => void): Disposable {
    return this.#add(`timer of ${ms} ms`, run, ms, undefined);
  }

  /** `run`, some time. @param ms when; left to the seed if not given */
  later(label: string, run: () => void, ms?: number): Disposable {
    return this.#add(label, run, ms, undefined);
  }

  /** `run`, some time, but after what was sent in this lane before. */
  send(lane: string, label: string, run: () => void): void {
    this.#add(label, run, undefined, lane);
  }

  /**
   * Resolves some time; for a scope that ends, never.
   *
   * @param signal aborts the wait at once: it rejects with the signal's reason
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
