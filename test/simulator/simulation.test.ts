import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { shareOf } from '@bulkhead/testkit/sweep';
import { beforeAll, describe, expect, it } from 'vitest';
import { mutants } from './mutants.ts';

const CHILD = `${import.meta.dirname}/simulate.child.ts`;
const NODE = ['--experimental-transform-types', '--disable-warning=ExperimentalWarning'];
const TIMEOUT_MS = 180_000;
/** `npm run simulate` plays more. */
const SEEDS = 160;
/** First seeds for some mutants: no earlier seed detects them. */
const FROM: Readonly<Record<string, number>> = { 'count-stops': 205 };

interface Totals {
  readonly done: number;
  readonly failed: number;
  readonly lives: number;
  readonly messages: number;
  readonly filesLeftOpen: number;
  readonly filesFoundOut: number;
  readonly digest: number;
}

/**
 * Simulates in a separate process: killed engines leave unhandled promises, and the test process
 * must not load a mutant.
 */
async function simulated(options: Readonly<Record<string, string | number>>, ...flags: readonly string[]) {
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const { stdout } = await promisify(execFile)(process.execPath, [...NODE, CHILD, ...args, ...flags], {
    timeout: TIMEOUT_MS,
    maxBuffer: 64 * 1024 * 1024,
  });
  const said = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const failures: readonly string[] = said.flatMap(({ failure }) =>
    failure === undefined
      ? []
      : [`npm run simulate -- --seed ${failure.seed}: ${failure.violations.join('; ')}`],
  );
  const totals: Totals = said.findLast((line) => line.totals !== undefined).totals;
  // Worlds in which nothing happens would prove nothing.
  if (totals.done > 1 && totals.messages === 0)
    throw new Error(`no message was sent in ${totals.done} seeds`);
  return { failures, totals };
}

describe('the simulated engine', () => {
  const shares: Awaited<ReturnType<typeof simulated>>[] = [];
  const sum = (name: 'lives' | 'messages' | 'filesLeftOpen' | 'filesFoundOut'): number =>
    shares.reduce((all, { totals }) => all + totals[name], 0);

  beforeAll(async () => {
    shares.push(
      ...(await Promise.all([1, 2].map((from) => simulated({ from, count: SEEDS / 2, stride: 2 })))),
    );
  }, TIMEOUT_MS);

  it('keeps every promise through deaths, power cuts, full disks, failing models, dying agents and jumping clocks [T2] [T3] [T6] [T8] [T9] [L7] [L8] [S3] [E2] [E4] [FG4] [FT83]', () => {
    expect(shares.flatMap(({ failures }) => failures).slice(0, 5)).toEqual([]);
    // Worlds without events would prove nothing.
    expect(sum('lives')).toBeGreaterThan(SEEDS);
    expect(sum('messages')).toBeGreaterThan(2.5 * SEEDS);
  });

  it('finds out nine of ten changes of files that a crash left open [FG5]', () => {
    expect(sum('filesLeftOpen')).toBeGreaterThan(SEEDS / 40);
    expect(sum('filesFoundOut') / sum('filesLeftOpen')).toBeGreaterThanOrEqual(0.9);
  });

  it('is the same world for the same seed', { timeout: TIMEOUT_MS }, async () => {
    const [once, again, other] = await Promise.all([20, 20, 21].map((from) => simulated({ from, count: 5 })));
    expect(once?.totals.digest).toBe(again?.totals.digest);
    expect(once?.totals.digest).not.toBe(other?.totals.digest);
  });

  it.each(shareOf(Object.entries(mutants), 7))(
    'catches an engine that is broken on purpose: %s',
    { timeout: TIMEOUT_MS },
    async (mutant) => {
      const { failures } = await simulated(
        { from: FROM[mutant] ?? 1, count: 300, mutant, trace: 0 },
        '--first',
      );
      expect(failures).toHaveLength(1);
    },
  );
});
