import { describe, expect, it } from 'vitest';
import { fitIndex } from './index-budget.ts';

const line = (name: string, length: number) => ({ name, text: 'x'.repeat(length) });

describe('fitIndex', () => {
  it('cuts long texts, then leaves texts out, then lines, and says how many', () => {
    expect(fitIndex([line('a', 400)], 1_000).lines[0]?.text).toHaveLength(300);
    const tight = fitIndex([line('a', 100), line('b', 100), line('c', 10)], 35);
    expect(tight).toEqual({ lines: [line('a', 100), line('b', 0), line('c', 10)], leftOut: 0 });
    const many = Array.from({ length: 1_000 }, (_, at) => line(`skill-${at}`, 200));
    const { lines, leftOut } = fitIndex(many, 500);
    expect(lines.length + leftOut).toBe(1_000);
    expect(lines.reduce((sum, { name, text }) => sum + name.length + text.length + 5, 0)).toBeLessThanOrEqual(
      2_000,
    );
    expect(lines.at(-1)?.name).toBe(`skill-${lines.length - 1}`);
  });
});
