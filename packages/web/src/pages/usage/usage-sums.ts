import type { UsageRow } from '@bulkhead/protocol/client';

/** Usage of one day, model, purpose or session. */
export interface UsageSum {
  readonly name: string;
  readonly calls: number;
  readonly failed: number;
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  /** US dollars, where prices are known. */
  readonly cost: number;
  readonly unpriced: number;
}

/** Sums rows by the result of `nameOf`, in the order of the names. */
export function sumBy(rows: readonly UsageRow[], nameOf: (row: UsageRow) => string): readonly UsageSum[] {
  const groups = Map.groupBy(rows, nameOf);
  return [...groups]
    .map(([name, group]) => sumOf(name, group))
    .toSorted((one, other) => one.name.localeCompare(other.name));
}

export function sumOf(name: string, rows: readonly UsageRow[]): UsageSum {
  const sum = (value: (row: UsageRow) => number | bigint) =>
    rows.reduce((total, row) => total + Number(value(row)), 0);
  return {
    name,
    calls: sum(({ calls }) => calls),
    failed: sum(({ failed }) => failed),
    input: sum(({ inputTokens }) => inputTokens),
    cached: sum(({ cachedInputTokens }) => cachedInputTokens),
    output: sum(({ outputTokens }) => outputTokens),
    cost: sum(({ cost }) => cost),
    unpriced: sum(({ unpriced }) => unpriced),
  };
}

const DAY_MS = 86_400_000;

/** Every day of a period, also those without a call. @param last milliseconds since 1970 */
export function everyDay(sums: readonly UsageSum[], days: number, last: number): readonly UsageSum[] {
  const byDay = new Map(sums.map((sum) => [sum.name, sum]));
  return Array.from({ length: days }, (_, index) => {
    const day = new Date(last - (days - 1 - index) * DAY_MS).toISOString().slice(0, 10);
    return byDay.get(day) ?? sumOf(day, []);
  });
}
