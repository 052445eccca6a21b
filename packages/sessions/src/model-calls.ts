import type { JsonObject } from '@bufbuild/protobuf';
import type { ModelCallsQuery, ModelCallTotals, StoredRecord } from './session-store.ts';

/** Sums `model_call` records by day, session, purpose and model; in that order. What a body lacks counts as nothing. */
export function totalModelCalls(
  records: Iterable<Pick<StoredRecord, 'sessionId' | 'time' | 'body'> & { readonly entry?: string | null }>,
): readonly ModelCallTotals[] {
  const totals = new Map<string, ModelCallTotals>();
  for (const { sessionId, time, body, entry = null } of records) {
    // What stands in the conversation, where an import can put anything, is no account of the engine's.
    if (entry !== null) continue;
    const day = new Date(time).toISOString().slice(0, 10);
    const names = { day, session: sessionId, purpose: word(body, 'purpose'), model: word(body, 'model') };
    const key = JSON.stringify(Object.values(names));
    totals.set(key, add(totals.get(key) ?? { ...names, ...NOTHING }, body));
  }
  return [...totals].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, total]) => total);
}

/** Totals of calls whose session is not to be known any more. */
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

/** Of these rows, the days that lie in the asked span, in part at least; none if one session is asked for. */
export function spendingsIn(
  rows: readonly ModelCallTotals[],
  { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY, session }: ModelCallsQuery,
): readonly ModelCallTotals[] {
  if (session !== undefined) return [];
  return rows.filter(({ day }) => Date.parse(day) < to && Date.parse(day) + DAY_MS > from);
}

const DAY_MS = 86_400_000;

/** Rows in the order every store gives them. */
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

/** True if a `model_call` of this session and time is asked for. */
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

function add(total: ModelCallTotals, body: JsonObject): ModelCallTotals {
  const cost = isAmount(body['cost']) ? body['cost'] : undefined;
  return {
    ...total,
    calls: total.calls + 1,
    failed: total.failed + (body['ok'] === true ? 0 : 1),
    inputTokens: total.inputTokens + count(body, 'inputTokens'),
    outputTokens: total.outputTokens + count(body, 'outputTokens'),
    cachedInputTokens: total.cachedInputTokens + count(body, 'cachedInputTokens'),
    reasoningTokens: total.reasoningTokens + count(body, 'reasoningTokens'),
    cost: total.cost + (cost ?? 0),
    unpriced: total.unpriced + (cost === undefined ? 1 : 0),
  };
}

function count(body: JsonObject, field: string): number {
  const value = body[field];
  return isAmount(value) ? Math.trunc(value) : 0;
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
}

function word(body: JsonObject, field: string): string {
  const value = body[field];
  return typeof value === 'string' ? value : '';
}
