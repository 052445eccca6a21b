import { create } from '@bufbuild/protobuf';
import { UsageRowSchema } from '@bulkhead/protocol/client';
import { expect, it } from 'vitest';
import { everyDay, sumBy } from './usage-sums.ts';

const row = (day: string, model: string, inputTokens: bigint, cost: number) =>
  create(UsageRowSchema, { day, model, calls: 1, inputTokens, outputTokens: 1n, cost });

it('sums calls by whatever they are asked for, and has every day', () => {
  const rows = [
    row('2026-01-02', 'a', 5n, 0.5),
    row('2026-01-02', 'b', 7n, 0.25),
    row('2026-01-04', 'a', 1n, 0),
  ];
  expect(sumBy(rows, ({ model }) => model)).toMatchObject([
    { name: 'a', calls: 2, input: 6, cost: 0.5 },
    { name: 'b', calls: 1, input: 7, cost: 0.25 },
  ]);
  const days = everyDay(
    sumBy(rows, ({ day }) => day),
    4,
    Date.parse('2026-01-04T12:00:00Z'),
  );
  expect(days.map(({ name, input }) => [name, input])).toEqual([
    ['2026-01-01', 0],
    ['2026-01-02', 12],
    ['2026-01-03', 0],
    ['2026-01-04', 1],
  ]);
});
