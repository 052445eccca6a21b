import type { UsageRow } from '@bulkhead/protocol/client';

/** Model calls and their usage, summed up. */
export interface UsageTotal {
  readonly calls: number;
  /** The calls without an answer; their usage counts too. */
  readonly failed: number;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
  /** US dollars, of the calls with a known price. */
  readonly cost: number;
  /** The calls with an unknown price. */
  readonly unpriced: number;
}

/** Keys for grouping rows. */
export const USAGE_KEYS = ['day', 'session', 'purpose', 'model'] as const;
export type UsageKey = (typeof USAGE_KEYS)[number];

export function sumUsage(rows: readonly UsageRow[]): UsageTotal {
  const sum = (of: (row: UsageRow) => number | bigint) =>
    rows.reduce((total, row) => total + Number(of(row)), 0);
  return {
    calls: sum((row) => row.calls),
    failed: sum((row) => row.failed),
    inputTokens: sum((row) => row.inputTokens),
    cachedInputTokens: sum((row) => row.cachedInputTokens),
    outputTokens: sum((row) => row.outputTokens),
    reasoningTokens: sum((row) => row.reasoningTokens),
    cost: sum((row) => row.cost),
    unpriced: sum((row) => row.unpriced),
  };
}

/** One total per value of a key, in the key's order. */
export function groupUsage(rows: readonly UsageRow[], key: UsageKey): [value: string, total: UsageTotal][] {
  const groups = Map.groupBy(rows, (row) => (key === 'session' ? row.sessionId : row[key]));
  return [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([value, members]) => [value, sumUsage(members)]);
}

/** The money in a total, with a note on unknown prices. */
export function costText({ calls, cost, unpriced }: UsageTotal): string {
  if (calls === 0) return dollars(0);
  if (unpriced === 0) return dollars(cost);
  const unknown = `unknown price: ${unpriced} ${unpriced === 1 ? 'call' : 'calls'}`;
  return unpriced === calls && cost === 0 ? unknown : `${dollars(cost)} + ${unknown}`;
}

/** A total in one line. */
export function usageText(total: UsageTotal): string {
  const failed = total.failed === 0 ? '' : ` (${total.failed} failed)`;
  const cached = total.cachedInputTokens === 0 ? '' : ` (${number(total.cachedInputTokens)} cached)`;
  return [
    `${number(total.calls)} ${total.calls === 1 ? 'call' : 'calls'}${failed}`,
    `${number(total.inputTokens)} tokens in${cached}`,
    `${number(total.outputTokens)} out`,
    costText(total),
  ].join(', ');
}

export function number(value: number): string {
  return value.toLocaleString('en-US');
}

function dollars(cost: number): string {
  if (cost > 0 && cost < 0.0001) return '<$0.0001';
  return `$${cost.toFixed(4)}`;
}
