/*
 * `npm run crash -- [--kills N] [--seed N] [--processes N] [--json]`: kills real processes at named
 * points and at any moment, and compares the disk with the log (docs/sessions.md, "After a crash").
 * Seed and number decide the actions of a round, but the machine decides their time, so `--round N`
 * repeats one round, `--times` over, until its result appears again. Exit code 1 after any
 * violation; the homes of those rounds are kept.
 */
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

interface Violation {
  /** -1 for findings at the end. */
  readonly number: number;
  readonly violations: readonly string[];
  readonly kills: readonly string[];
  readonly session: string;
  readonly home: string;
}

const root = dirname(import.meta.dirname);
const CHILD = join(root, 'e2e/crash/campaign.child.ts');
const NODE = ['--experimental-transform-types', '--disable-warning=ExperimentalWarning'];
/** Every other home asks for all approvals, so that questions are open when an engine dies. */
const STRICT = 'policy: strict';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    round: { type: 'string' },
    strict: { type: 'boolean', default: false },
    times: { type: 'string', default: '20' },
    processes: { type: 'string', default: '2' },
    json: { type: 'boolean', default: false },
  },
});

const seed = Number(values.seed);
const kills = Number(values.kills);
const replay = values.round === undefined ? undefined : Number(values.round);
const processes = replay === undefined ? Math.min(Number(values.processes), kills) : 1;
const started = performance.now();
const violations: Violation[] = [];
const tallies = new Map<number, CrashTally>();

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

async function buildFaults(): Promise<void> {
  const args = [join(root, 'scripts/build.ts'), '--faults'];
  const code = await ended(spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] }));
  if (code !== 0) throw new Error(`the fault build ended with code ${code}`);
}

function take(line: string, place: number): void {
  const said: { readonly round?: Violation; readonly tally?: CrashTally } = JSON.parse(line);
  if (said.tally !== undefined) tallies.set(place, said.tally);
  if (said.round === undefined) return;
  violations.push(said.round);
  if (!values.json) showViolation(said.round, place);
}

function showViolation(
  { number, violations: list, kills: dead, session, home }: Violation,
  place: number,
): void {
  say(`\nround ${number}, session ${session}, killed: ${dead.join(', ') || 'nobody'}`);
  for (const violation of list.slice(0, 12)) say(`  ${violation}`);
  say(`  home: ${home}`);
  const strict = isStrict(place) ? ' --strict' : '';
  if (number >= 0) say(`  replay: npm run crash -- --seed ${seed} --round ${number}${strict}`);
}

function isStrict(place: number): boolean {
  return replay === undefined ? place % 2 === 1 : values.strict;
}

async function share(place: number): Promise<void> {
  const options = {
    build: join(root, 'dist-faults'),
    seed,
    kills: Math.floor(kills / processes) + (place < kills % processes ? 1 : 0),
    from: place,
    stride: processes,
    config: isStrict(place) ? STRICT : '',
    ...(replay === undefined ? {} : { replay: { round: replay, times: Number(values.times) } }),
  };
  const child = spawn(process.execPath, [...NODE, CHILD, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const end = ended(child);
  for await (const line of createInterface({ input: child.stdout })) take(line, place);
  const code = await end;
  if (code !== 0) throw new Error(`a process of the campaign ended with code ${code}`);
}

function ended(child: ReturnType<typeof spawn>): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
}

const progress = setInterval(() => {
  if (values.json) return;
  const sum = sumOfTallies([...tallies.values()]);
  process.stderr.write(
    `${sum.killed} of ${kills} kills, ${sum.rounds} rounds, ${violations.length} with violations\n`,
  );
}, 15_000);

try {
  await buildFaults();
  await Promise.all(Array.from({ length: processes }, (_, place) => share(place)));
} finally {
  clearInterval(progress);
}

const summary = {
  ...sumOfTallies([...tallies.values()]),
  seconds: Math.round((performance.now() - started) / 1_000),
};
say(
  values.json ? JSON.stringify({ seed, ...summary, violations }) : renderReport(summary, violations.length),
);
process.exitCode = violations.length === 0 ? 0 : 1;

/** The reports of a campaign's processes: see `e2e/crash/tally.ts`. */
interface CrashTally {
  readonly rounds: number;
  readonly kills: Readonly<Record<string, number>>;
  readonly acknowledged: number;
  readonly actions: Readonly<Record<string, number>>;
  readonly openFileActions: number;
  readonly resolvedFileActions: number;
  readonly failedFileActions: number;
}

interface CrashSummary extends CrashTally {
  /** Sum of `kills`. */
  readonly killed: number;
}

function sumOfTallies(tallies: readonly CrashTally[]): CrashSummary {
  const total = (pick: (tally: CrashTally) => number) => tallies.reduce((sum, tally) => sum + pick(tally), 0);
  const kills = sumOf(tallies.map((tally) => tally.kills));
  return {
    rounds: total(({ rounds }) => rounds),
    kills,
    killed: Object.values(kills).reduce((sum, count) => sum + count, 0),
    acknowledged: total(({ acknowledged }) => acknowledged),
    actions: sumOf(tallies.map(({ actions }) => actions)),
    openFileActions: total(({ openFileActions }) => openFileActions),
    resolvedFileActions: total(({ resolvedFileActions }) => resolvedFileActions),
    failedFileActions: total(({ failedFileActions }) => failedFileActions),
  };
}

/** @param violated number of rounds with a violation */
function renderReport(summary: CrashSummary & { readonly seconds: number }, violated: number): string {
  const { rounds, killed, kills, acknowledged, actions, seconds } = summary;
  const { openFileActions, resolvedFileActions, failedFileActions } = summary;
  const share =
    openFileActions === 0 ? 100 : Math.round((1_000 * resolvedFileActions) / openFileActions) / 10;
  return [
    '',
    ...Object.entries(kills).map(([name, count]) => `  ${String(count).padStart(4)}  ${name}`),
    '',
    `${killed} kills in ${rounds} rounds and ${seconds} s; ${acknowledged} messages acknowledged, each settled once`,
    `actions: ${Object.entries(actions)
      .map(([end, count]) => `${count} ${end}`)
      .join(', ')}`,
    `changes of files that a crash left open: ${openFileActions}, resolved ${resolvedFileActions} (${share} %); ${failedFileActions} more failed`,
    violated === 0 ? 'no violation' : `${violated} rounds with violations`,
  ].join('\n');
}

function sumOf(counts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const names = new Set(counts.flatMap((one) => Object.keys(one)));
  return Object.fromEntries(
    [...names].sort().map((name) => [name, counts.reduce((sum, one) => sum + (one[name] ?? 0), 0)]),
  );
}
