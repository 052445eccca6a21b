import type { ModelCallBody } from '@bulkhead/protocol/records';
import type { ModelCallsQuery, ModelCallTotals, StoredRecord } from './session-store.ts';

/** Sums the `model_call` records among these by day, session, purpose and model; in that order. */
export function totalModelCalls(records: Iterable<StoredRecord>): readonly ModelCallTotals[] {
  return totalCalls(
    [...records].flatMap((record) =>
      // Entries, where an import can put anything, are not records of the engine.
      record.type === 'model_call' && record.entry === null
        ? [{ session: record.sessionId, time: record.time, call: record.body }]
        : [],
    ),
  );
}

/** As `totalModelCalls`, for calls that may be in no log. */
export function totalCalls(
  calls: Iterable<{ readonly session: string; readonly time: number; readonly call: ModelCallBody }>,
): readonly ModelCallTotals[] {
  const totals = new Map<string, ModelCallTotals>();
  for (const { session, time, call } of calls) {
    const day = new Date(time).toISOString().slice(0, 10);
    const names = { day, session, purpose: call.purpose, model: call.model };
    const key = JSON.stringify(Object.values(names));
    totals.set(key, add(totals.get(key) ?? { ...names, ...NOTHING }, call));
  }
  return [...totals].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, total]) => total);
}

/** Totals of calls whose session must be forgotten. */
export class Spendings {
  #rows: readonly ModelCallTotals[] = [];

  get rows(): readonly ModelCallTotals[] {
    return this.#rows;
  }

  add(totals: readonly ModelCallTotals[]): void {
    const merged = new Map<string, ModelCallTotals>();
    for (const row of [...this.#rows, ...totals.map((one) => ({ ...one, session: '' }))]) {
      const key = JSON.stringify([row.day, row.purpose, row.model]);
      const known = merged.get(key);
      merged.set(key, known === undefined ? row : sum(known, row));
    }
    this.#rows = [...merged.values()];
  }
}

/** The days of these rows that overlap the queried span; none if one session is queried. */
export function spendingsIn(
  rows: readonly ModelCallTotals[],
  { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY, session }: ModelCallsQuery,
): readonly ModelCallTotals[] {
  if (session !== undefined) return [];
  return rows.filter(({ day }) => Date.parse(day) < to && Date.parse(day) + DAY_MS > from);
}

const DAY_MS = 86_400_000;

/** Rows in the order of every store. */
export function inOrder(rows: readonly ModelCallTotals[]): readonly ModelCallTotals[] {
  return rows.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
}

function placeOf({ day, session, purpose, model }: ModelCallTotals): string {
  return JSON.stringify([day, session, purpose, model]);
}

function sum(a: ModelCallTotals, b: ModelCallTotals): ModelCallTotals {
  return {
    ...a,
    calls: a.calls + b.calls,
    failed: a.failed + b.failed,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
    cost: a.cost + b.cost,
    unpriced: a.unpriced + b.unpriced,
  };
}

/** True if the query includes a `model_call` of this session and time. */
export function isAskedFor(where: ModelCallsQuery, sessionId: string, time: number): boolean {
  if (where.session !== undefined && where.session !== sessionId) return false;
  return time >= (where.from ?? Number.NEGATIVE_INFINITY) && time < (where.to ?? Number.POSITIVE_INFINITY);
}

const NOTHING = {
  calls: 0,
  failed: 0,
  inputTokens: 0,
  outputTokens: 0,
  cachedInputTokens: 0,
  reasoningTokens: 0,
  cost: 0,
  unpriced: 0,
};

function add(total: ModelCallTotals, call: ModelCallBody): ModelCallTotals {
  const cost = call.cost !== null && isAmount(call.cost) ? call.cost : undefined;
  return {
    ...total,
    calls: total.calls + 1,
    failed: total.failed + (call.ok ? 0 : 1),
    inputTokens: total.inputTokens + count(call.inputTokens),
    outputTokens: total.outputTokens + count(call.outputTokens),
    cachedInputTokens: total.cachedInputTokens + count(call.cachedInputTokens),
    reasoningTokens: total.reasoningTokens + count(call.reasoningTokens),
    cost: total.cost + (cost ?? 0),
    unpriced: total.unpriced + (cost === undefined ? 1 : 0),
  };
}

/** A provider may report any value. */
function count(value: number): number {
  return isAmount(value) ? Math.trunc(value) : 0;
}

function isAmount(value: number): boolean {
  return value >= 0 && value <= Number.MAX_SAFE_INTEGER;
}
