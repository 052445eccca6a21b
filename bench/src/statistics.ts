/** The summary of a set of measurements. All in the unit of the values. */
export interface Summary {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly p95: number;
  readonly p99: number;
  readonly count: number;
}

/**
 * @param values at least one
 * @throws RangeError without a value
 */
export function summarise(values: readonly number[]): Summary {
  const sorted = values.toSorted((a, b) => a - b);
  return {
    median: (quantile(sorted, 0.5) + quantile(sorted.toReversed(), 0.5)) / 2,
    min: quantile(sorted, 0),
    max: quantile(sorted, 1),
    p95: quantile(sorted, 0.95),
    p99: quantile(sorted, 0.99),
    count: sorted.length,
  };
}

/** Nearest rank: the smallest value that at least this share of all values does not exceed. */
function quantile(sorted: readonly number[], share: number): number {
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  if (value === undefined) throw new RangeError('no measurement to summarise');
  return value;
}
