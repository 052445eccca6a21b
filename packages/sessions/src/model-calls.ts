import type { JsonObject } from '@bufbuild/protobuf';
import type { ModelCallsQuery, ModelCallTotals, StoredRecord } from './session-store.ts';

/** Sums `model_call` records by day, session, purpose and model; in that order. What a body lacks counts as nothing. */
export function totalModelCalls(
  records: Iterable<Pick<StoredRecord, 'sessionId' | 'time' | 'body'>>,
): readonly ModelCallTotals[] {
  const totals = new Map<string, ModelCallTotals>();
  for (const { sessionId, time, body } of records) {
    const day = new Date(time).toISOString().slice(0, 10);
    const names = { day, session: sessionId, purpose: word(body, 'purpose'), model: word(body, 'model') };
    const key = JSON.stringify(Object.values(names));
    totals.set(key, add(totals.get(key) ?? { ...names, ...NOTHING }, body));
  }
  return [...totals].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, total]) => total);
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
  const cost = body['cost'];
  return {
    ...total,
    calls: total.calls + 1,
    failed: total.failed + (body['ok'] === true ? 0 : 1),
    inputTokens: total.inputTokens + count(body, 'inputTokens'),
    outputTokens: total.outputTokens + count(body, 'outputTokens'),
    cachedInputTokens: total.cachedInputTokens + count(body, 'cachedInputTokens'),
    reasoningTokens: total.reasoningTokens + count(body, 'reasoningTokens'),
    cost: total.cost + (typeof cost === 'number' ? cost : 0),
    unpriced: total.unpriced + (typeof cost === 'number' ? 0 : 1),
  };
}

function count(body: JsonObject, field: string): number {
  const value = body[field];
  return typeof value === 'number' ? value : 0;
}

function word(body: JsonObject, field: string): string {
  const value = body[field];
  return typeof value === 'string' ? value : '';
}
