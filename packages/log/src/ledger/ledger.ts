import type { ConfirmedTime } from '@bulkhead/home/time/confirmed-time';
import { SMALL_ANSWER } from '@bulkhead/models';
import { BulkheadError, type ModelCall, type ModelPrice } from '@bulkhead/protocol';
import type { SessionStore } from '@bulkhead/sessions';
import { mostOf } from './call-body.ts';
import { type DayTotals, dayOf } from './day-totals.ts';

/** The purpose under which daily totals hold everything that the cap counts. */
const ALL_CALLS = '';

/** Share of what the caps leave that one call's answer may take. */
const SHARE_OF_CAP = 1 / 4;

/** Most that may be spent, in US dollars; undefined: no cap [D2]. */
export interface SpendCaps {
  readonly perDay: number | undefined;
  readonly perSession: number | undefined;
}

/** Money set aside for one call, until what it really cost is known. */
export interface Reservation {
  /** Puts what the call cost in the place of what was set aside. Once. */
  settle(cost: number | null): void;
}

/**
 * The cost of model calls, today and in each session. A call is made only if its maximal cost still
 * fits under every cap, together with all calls under way: caps hold at any concurrency. A day
 * begins when it is believed to have begun: a clock that jumps begins none [FT83].
 */
export class Ledger {
  readonly #store: SessionStore;
  readonly #time: Pick<ConfirmedTime, 'believed'>;
  readonly #days: DayTotals;
  readonly #caps: SpendCaps;
  #day: { readonly date: string; spent: number };
  readonly #sessions = new Map<string, number>();

  constructor(parts: {
    readonly store: SessionStore;
    readonly time: Pick<ConfirmedTime, 'believed'>;
    readonly days: DayTotals;
    readonly caps: SpendCaps;
  }) {
    this.#store = parts.store;
    this.#time = parts.time;
    this.#days = parts.days;
    this.#caps = parts.caps;
    this.#day = { date: '', spent: 0 };
  }

  /**
   * @param price of the model; undefined if it isn't known
   * @throws BulkheadError `spend_limit` if the call could break a cap, or its price isn't known and there is a cap
   */
  reserve(sessionId: string, model: string, price: ModelPrice | undefined, call: ModelCall): Reservation {
    const { perDay, perSession } = this.#caps;
    if (perDay === undefined && perSession === undefined) return { settle: () => {} };
    if (price === undefined) {
      throw new BulkheadError('spend_limit', `there is a spend cap, and the price of ${model} isn't known`, {
        fix: 'Set `price` for this model in config.yaml, or take the cap away.',
      });
    }
    const most = mostOf('', { name: model, price }, call).cost ?? 0;
    // A call that costs nothing breaks no cap: a local model may still answer when the others may not be asked.
    if (most === 0) return { settle: () => {} };
    this.#check('today', perDay, this.#today(), most);
    this.#check('in this session', perSession, this.#spentIn(sessionId), most);
    const { date } = this.#day;
    this.#days.add(date, ALL_CALLS, { calls: 1, cost: most });
    this.#add(sessionId, most);
    let open = true;
    return {
      settle: (cost) => {
        if (!open) return;
        open = false;
        this.#today();
        // A cost that a provider reports never gives anything back.
        const paid = cost !== null && cost >= 0 ? cost : most;
        // An amount reserved on an earlier day is not part of the new day's sum.
        const setAside = this.#day.date === date ? most : 0;
        this.#day.spent += paid - setAside;
        this.#correct(paid - setAside);
        this.#sessions.set(sessionId, this.#spentIn(sessionId) + paid - most);
      },
    };
  }

  /**
   * The output limit of a call under the caps: a fraction of what is left, so that calls of other
   * sessions have room beside it. Without a cap, the call's own.
   */
  outputLimit(sessionId: string, price: ModelPrice | undefined, call: ModelCall): number | undefined {
    const { perDay, perSession } = this.#caps;
    const { maxOutputTokens: wished } = call;
    if (wished === undefined || price === undefined || (perDay ?? perSession) === undefined) return wished;
    const costWith = (maxOutputTokens: number): number =>
      mostOf('', { name: '', price }, { ...call, maxOutputTokens }).cost ?? 0;
    const input = costWith(0);
    const perToken = (costWith(wished) - input) / wished;
    const left = Math.min(
      (perDay ?? Number.POSITIVE_INFINITY) - this.#today(),
      (perSession ?? Number.POSITIVE_INFINITY) - this.#spentIn(sessionId),
    );
    if (perToken <= 0) return wished;
    const affordable = Math.floor(((left - input) * SHARE_OF_CAP) / perToken);
    return Math.min(wished, Math.max(affordable, SMALL_ANSWER));
  }

  /** A deleted session's sum is of no more use. */
  forget(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }

  #check(where: string, cap: number | undefined, spent: number, most: number): void {
    if (cap === undefined || spent + most <= cap) return;
    throw new BulkheadError(
      'spend_limit',
      `the spend cap of $${cap} is reached ${where}: $${spent.toFixed(4)} is spent or set aside, and this call could cost $${most.toFixed(4)}`,
      { fix: 'Raise `spend` in config.yaml, or wait for the next day (UTC).' },
    );
  }

  #today(): number {
    const date = dayOf(this.#time.believed());
    if (this.#day.date !== date) {
      const from = Date.parse(date);
      const rows = this.#store.modelCalls({ from, to: from + 86_400_000 });
      const recorded = rows.reduce((sum, row) => sum + row.cost, 0);
      this.#day = { date, spent: Math.max(recorded, this.#days.of(date, ALL_CALLS).cost) };
    }
    return this.#day.spent;
  }

  /** An amount that can't be written stays at the maximum of the call. */
  #correct(cost: number): void {
    try {
      this.#days.add(this.#day.date, ALL_CALLS, { calls: 0, cost });
    } catch {
      // The next reservation says what is wrong with the disk.
    }
  }

  #spentIn(sessionId: string): number {
    const known = this.#sessions.get(sessionId);
    if (known !== undefined) return known;
    const spent = this.#store.modelCalls({ session: sessionId }).reduce((sum, row) => sum + row.cost, 0);
    this.#sessions.set(sessionId, spent);
    return spent;
  }

  #add(sessionId: string, amount: number): void {
    this.#day.spent += amount;
    this.#sessions.set(sessionId, this.#spentIn(sessionId) + amount);
  }
}
