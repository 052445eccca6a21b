import { createTokenTable } from '@bulkhead/actions/approvals/token-table';
import type { PipelineParts } from '@bulkhead/actions/testing';
import { memoryTables } from '@bulkhead/sessions/testing';
import { SeededRandom } from '@bulkhead/testkit/simulation';
import { sweepOf, sweepsAreWhole } from '@bulkhead/testkit/sweep';
import { describe, expect, it } from 'vitest';
import { explore, sample } from './explore.ts';
import { DISTURBANCES, PipelineWorld, type WorldOptions } from './pipeline-world.ts';

const TIMEOUT_MS = 360_000;
/** Sequences of each kind; `npm run proof` plays all of them. */
const SHARE = 150;
const ONE = { kinds: DISTURBANCES, disturbances: 1, calls: 1 };

/** Plays every sequence or a share, up to the first failure: returns the failure and its events. */
async function check(options: Omit<WorldOptions, 'database'>, whole = true) {
  const database = createTokenTable(memoryTables(), 0);
  const seen = { plays: 0, executions: 0, crashes: 0 };
  const wrong: string[] = [];
  const play = async (choose: (options: number) => number): Promise<void> => {
    const world = new PipelineWorld({ ...options, database }, choose);
    await world.play();
    seen.plays += 1;
    seen.executions += world.oracle.executions;
    seen.crashes += world.trace.filter((what) => what === 'crash').length;
    wrong.push(...world.oracle.violations.map((violation) => `${violation}: ${world.trace.join(', ')}`));
    if (wrong.length > 0) throw new Error(wrong[0]);
  };
  const random = new SeededRandom(1);
  // The first option is the ordinary course; a world disturbed immediately would make no progress.
  const search = whole
    ? explore(play, 100_000)
    : sample(play, SHARE, (end) => (random.chance(0.7) ? 0 : random.below(end)));
  await search.catch((error: unknown) => {
    if (wrong.length === 0) throw error;
  });
  return { ...seen, wrong };
}

describe('every order of verdict, question, answer, expiry, cancel, crash, recovery and retry', () => {
  it.each<[string, Omit<WorldOptions, 'database'>, number]>([
    ['a file is written, and one thing disturbs it', { ...ONE, tool: 'write' }, 800],
    [
      'something is sent, and one thing disturbs it',
      { ...ONE, kinds: ['crash', 'cancel'], tool: 'send' },
      2_000,
    ],
    [
      'a file is written, time passes and the engine dies',
      { kinds: ['crash', 'time passes'], disturbances: 2, calls: 1, tool: 'write' },
      2_000,
    ],
    [
      'the same is asked for twice at once',
      { kinds: [], disturbances: 0, calls: 2, tool: 'send', healthy: true },
      1_000,
    ],
  ])(
    'carries out nothing without an authorised digest, and nothing twice: %s [FG2] [FR6] [T8]',
    { timeout: TIMEOUT_MS },
    async (_what, options, least) => {
      const { plays, executions, crashes, wrong } = await check(options, sweepsAreWhole);
      expect(wrong).toEqual([]);
      // A world without events would prove nothing.
      expect(plays).toBeGreaterThanOrEqual(sweepOf(SHARE, least));
      expect(executions).toBeGreaterThan(plays / 10);
      expect(crashes > 0).toBe(options.kinds.includes('crash'));
    },
  );
});

const anyYes = async () => ({ decision: 'allow', by: 'person' }) as const;

describe('the model check sees what is broken on purpose', () => {
  it.each<[string, Partial<WorldOptions>, string]>([
    [
      'questions that nobody has to answer',
      {
        broken: ({ approvals }: PipelineParts) => ({
          approvals: Object.assign(Object.create(approvals, { grants: { value: approvals.grants } }), {
            request: (...[question, mode, signal]: Parameters<typeof approvals.request>) => ({
              ...approvals.request(question, mode, signal),
              outcome: anyYes(),
            }),
          }),
        }),
      },
      'was allowed by nobody',
    ],
    [
      'a judge whose block is not heard',
      {
        broken: ({ shield }) => ({
          shield: {
            judge: async (...about: Parameters<typeof shield.judge>) => ({
              ...(await shield.judge(...about)),
              decision: 'allow',
            }),
          },
        }),
      },
      'was allowed by nobody',
    ],
    [
      'an audit log that is not waited for',
      {
        broken: ({ audit }) => ({
          audit: {
            append: async (entries) => {
              audit.append(entries).catch(() => {});
              return [];
            },
          },
        }),
      },
      'entries STARTED',
    ],
    ['a recovery that doubts nothing', { forgetsDoubt: true, tool: 'send' }, 'happens again'],
  ])('%s', { timeout: TIMEOUT_MS }, async (_what, options, expected) => {
    const { wrong } = await check({ ...ONE, tool: 'write', ...options });
    expect(wrong[0]).toContain(expected);
  });
});
