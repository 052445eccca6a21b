import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FAULT_POINTS, type FaultPoint } from '@bulkhead/protocol';
import { busyness } from '@bulkhead/testkit/processor-time';
import { SeededRandom } from '@bulkhead/testkit/simulation';
import { shareOf, sweepsAreWhole } from '@bulkhead/testkit/sweep';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Campaign } from './crash/campaign.ts';
import type { CrashPlan, Story, Strike } from './crash/crash-plan.ts';
import type { RoundResult } from './crash/crash-round.ts';
import { faultBuild } from './crash/fault-build.ts';
import type { ActionEnd } from './crash/recorded-actions.ts';

const dist = fileURLToPath(new URL('../dist', import.meta.url));

let build = '';
const homes: Campaign[] = [];

beforeAll(async () => {
  build = await faultBuild();
  homes.push(await Campaign.open({ build, seed: 1 }), await Campaign.open({ build, seed: 2 }));
});

afterAll(async () => {
  await Promise.all(homes.map((home) => home[Symbol.asyncDispose]()));
});

type PointStrike = Extract<Strike, { kind: 'point' }>;

const dies = (point: FaultPoint, hit = 1): PointStrike => ({ kind: 'point', point, action: 'kill', hit });

function plan(story: Story, strikes: readonly Strike[], tool?: 'write' | 'edit' | 'bash'): CrashPlan {
  return {
    story,
    strikes,
    rounds: 2,
    random: new SeededRandom(strikes.length),
    ...(tool === undefined ? {} : { tool }),
  };
}

/** Runs the plans on two homes at once, each home one after the other. */
async function rounds(plans: readonly CrashPlan[]): Promise<readonly RoundResult[]> {
  const results = new Map<number, RoundResult>();
  const share = async (home: Campaign, place: number): Promise<void> => {
    for (const [index, one] of plans.entries()) {
      if (index % homes.length === place) results.set(index, await home.round(index, one));
    }
  };
  await Promise.all(homes.map(share));
  return plans.flatMap((_, index) => results.get(index) ?? []);
}

const violationsOf = (results: readonly RoundResult[]) => results.flatMap(({ violations }) => violations);
const killsOf = (results: readonly RoundResult[]) => results.map(({ kills }) => kills.join(', '));

/** Ends of the actions that recovery closed. */
function fates({ actions }: RoundResult): readonly (ActionEnd | undefined)[] {
  return actions.filter(({ recovered }) => recovered).map(({ end }) => end);
}

/**
 * Deaths between an intent and its outcome, with the fate that recovery must find. A command is a
 * transaction: its scratch folder tells on which side of the commit its engine died. `more`: only
 * in `npm run proof`, beside a death like it.
 */
const DEATHS: readonly Death[] = [
  { deaths: [dies('intent.before')], tool: 'write', fate: 'not_executed', more: true },
  { deaths: [dies('intent.after')], tool: 'write', fate: 'not_executed' },
  { deaths: [dies('effect.done')], tool: 'edit', fate: 'executed' },
  { deaths: [dies('outcome.before')], tool: 'bash', fate: 'executed' },
  { deaths: [dies('effect.begun', 2)], tool: 'bash', fate: 'not_executed', more: true },
  { deaths: [dies('intent.after'), dies('recovery.after_fate')], tool: 'edit', fate: 'not_executed' },
  { deaths: [dies('scratch.made')], tool: 'bash', fate: 'not_executed', more: true },
  { deaths: [dies('command.ended')], tool: 'bash', fate: 'not_executed', more: true },
  { deaths: [dies('settle.decided')], tool: 'bash', fate: 'not_executed', more: true },
  { deaths: [dies('settle.answered')], tool: 'bash', fate: 'executed' },
];

interface Death {
  readonly deaths: readonly PointStrike[];
  readonly tool: 'write' | 'edit' | 'bash';
  readonly fate: ActionEnd;
  readonly more?: true;
}

/** Ten lives of an engine, on a machine that does other work as well. */
const ROUNDS_MS = 600_000;

describe('an engine that is killed', { timeout: ROUNDS_MS }, () => {
  it('at any step of a compaction goes on with the conversation as it was, or with all of the summary [FT71, K3, T8]', async () => {
    const points = shareOf(['compaction.begun', 'compaction.answered', 'compaction.recorded'] as const, 1);
    const results = await rounds(points.map((point) => plan('long', [dies(point)])));
    expect(violationsOf(results)).toEqual([]);
    expect(killsOf(results)).toEqual(points.map((point) => `engine at ${point}`));
  });

  it('between an intent and its outcome tells executed, not executed and unknown apart, as the disk does [T8, FG4, FG5]', async () => {
    const tried = DEATHS.filter(({ more }) => sweepsAreWhole || more === undefined);
    const results = await rounds(tried.map(({ deaths, tool }) => plan('plain', deaths, tool)));
    expect(violationsOf(results)).toEqual([]);
    expect(killsOf(results)).toEqual(
      tried.map(({ deaths }) => deaths.map(({ point }) => `engine at ${point}`).join(', ')),
    );
    expect(results.map(fates)).toEqual(tried.map(({ fate }) => [fate]));
  });

  it('at any other point loses no message and settles each once [T8, FG4, FT76]', async () => {
    const plans = [
      plan('plain', [dies('input.after_accept')]),
      plan('plain', [dies('model.recorded')]),
      plan('plain', [dies('store.before_commit', 12)]),
      plan('plain', [dies('audit.before_flush', 2)]),
      plan('steer', [dies('steer.merged')]),
      plan('flaky', [dies('retry.waiting')]),
      plan('queue', [dies('settled.before')]),
      plan('plain', [dies('settled.after')]),
    ];
    const results = await rounds(shareOf(plans, 3));
    expect(violationsOf(results)).toEqual([]);
    expect(results.map(({ kills }) => kills.length)).toEqual(results.map(() => 1));
  });
});

it('an agent that is killed at any of its messages has a successor within two seconds, and the run goes on [FT77]', async () => {
  const points = shareOf(['run.started', 'model.answered', 'effect.begun', 'round.ended'] as const, 2);
  const results = await rounds(
    points.map((point) => plan('plain', [{ kind: 'held', point, hit: 1, victim: 'agent' }])),
  );
  expect(violationsOf(results)).toEqual([]);
  expect(killsOf(results)).toEqual(points.map((point) => `agent at ${point}`));
  const respawns = results.flatMap(({ respawnMs }) => respawnMs);
  expect(respawns).toHaveLength(points.length);
  const busy = busyness();
  for (const ms of respawns) expect(ms / busy).toBeLessThan(2_000);
});

it('an audit log that can not be written ends no run with an untold action: the engine starts anew [FG4, FT80]', async () => {
  const fails: Strike = { kind: 'point', point: 'audit.before_flush', action: 'eio', hit: 2 };
  const tools = sweepsAreWhole ? (['edit', 'bash'] as const) : (['bash'] as const);
  const results = await rounds(tools.map((tool) => plan('plain', [fails], tool)));
  expect(violationsOf(results)).toEqual([]);
  expect(killsOf(results)).toEqual(tools.map(() => 'EIO at audit.before_flush'));
});

it('leaves both homes whole', async () => {
  const problems = await Promise.all(homes.map((home) => home.endProblems()));
  expect(problems.flat()).toEqual([]);
});

it('the product that people run contains no fault point', () => {
  const bundles = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.m?js$/.test(name),
  );
  expect(bundles).toContain('engine.js');
  const texts = bundles.map((name) => readFileSync(join(dist, name), 'utf8'));
  const found = [...FAULT_POINTS, 'faultPoint'].filter((word) => texts.some((text) => text.includes(word)));
  expect(found).toEqual([]);
});

describe('an engine whose disk is full', () => {
  const MOUNT = 'mount -t tmpfs -o size=6m,mode=700 none "$1/home" && exec "$2" $3 "$4" "$1" "$5"';
  const canMount = spawnSync('unshare', ['-Urm', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

  it.skipIf(!canMount)(
    'refuses what it can not keep, does nothing it can not record, and goes on when there is space [FT80]',
    () => {
      const root = realpathSync(mkdtempSync(join(tmpdir(), 'bulkhead-full-')));
      mkdirSync(join(root, 'home'), { mode: 0o700 });
      try {
        const child = fileURLToPath(new URL('crash/disk-full.child.ts', import.meta.url));
        const node = '--experimental-transform-types';
        const args = ['-Urm', 'sh', '-c', MOUNT, 'sh', root, process.execPath, node, child, dist];
        const { stdout, stderr } = spawnSync('unshare', args, { encoding: 'utf8', timeout: 60_000 });
        expect(stdout, stderr).not.toBe('');
        expect(JSON.parse(stdout)).toEqual({
          free: 0,
          refusedWith: 'store_failed',
          statusWhileFull: 1,
          takenAfterwards: true,
          settledFirst: true,
          acceptedSecond: 'taken',
          ledgerWhileFull: '',
          settledWhileFull: false,
          settledSecond: true,
          outcomes: ['m1 completed', 'm2 completed'],
          ledger: 'ledger1\n',
          actions: [{ token: 'ledger1', end: 'executed', intended: true, audited: true }],
        });
      } finally {
        rmSync(root, { recursive: true, force: true });
      }
    },
  );
});
