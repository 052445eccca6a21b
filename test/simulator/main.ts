/*
 * `npm run simulate -- [--seeds N] [--from N] [--mutant NAME] [--processes N] [--json]`: simulates that many seeds, on
 * all cores, and tells which broke a promise. `--seed N` replays one and prints its whole trace. Exit code 1 if one failed,
 * or if several carried no message.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

interface Failure {
  readonly seed: number;
  readonly violations: readonly string[];
  readonly trace: readonly string[];
}

interface Totals {
  readonly done: number;
  readonly failed: number;
  readonly steps: number;
  readonly lives: number;
  readonly messages: number;
  readonly executions: number;
  readonly filesLeftOpen: number;
  readonly filesFoundOut: number;
}

const CHILD = `${import.meta.dirname}/simulate.child.ts`;
/** Failing seeds shown whole; of others only the kinds of their violations. */
const SHOWN = 3;
const NONE: Totals = {
  done: 0,
  failed: 0,
  steps: 0,
  lives: 0,
  messages: 0,
  executions: 0,
  filesLeftOpen: 0,
  filesFoundOut: 0,
};

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '10000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    mutant: { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
    processes: { type: 'string', default: String(Math.min(availableParallelism(), 8)) },
  },
});

const replay = values.seed !== undefined;
const from = Number(values.seed ?? values.from);
const seeds = replay ? 1 : Number(values.seeds);
const processes = replay ? 1 : Math.min(Number(values.processes), seeds);
const started = performance.now();
const failures: Failure[] = [];
const totals: Totals[] = Array.from({ length: processes }, () => NONE);

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function replayCommand(seed: number): string {
  return `npm run simulate -- --seed ${seed}${values.mutant === '' ? '' : ` --mutant ${values.mutant}`}`;
}

function sum(name: keyof Totals): number {
  return totals.reduce((all, one) => all + one[name], 0);
}

function perMinute(): number {
  return Math.round((sum('done') / (performance.now() - started)) * 60_000);
}

function showFailure({ seed, violations, trace }: Failure): void {
  if (failures.length > SHOWN) return;
  say(`\nseed ${seed} failed; the end of its trace:`);
  for (const line of trace) say(`    ${line}`);
  for (const violation of violations.slice(0, 10)) say(`  ${violation}`);
  say(`  replay: ${replayCommand(seed)}`);
}

/** The subject of a violation, without the affected ids. */
function kindOf(violation: string): string {
  return violation
    .replaceAll(/[0-9A-Z]{26}/g, '…')
    .replaceAll(/\d+/g, 'n')
    .slice(0, 140);
}

/** Number of failing seeds by kind of violation, most frequent first, each with an example. */
function showKinds(): void {
  const kinds = new Map<string, number[]>();
  for (const { seed, violations } of failures) {
    for (const kind of new Set(violations.map(kindOf))) kinds.set(kind, [...(kinds.get(kind) ?? []), seed]);
  }
  for (const [kind, seen] of [...kinds].toSorted(([, a], [, b]) => b.length - a.length)) {
    say(`${String(seen.length).padStart(6)}  ${kind}  (seed ${Math.min(...seen)})`);
  }
}

function take(line: string, place: number): void {
  const said: { readonly failure?: Failure; readonly totals?: Totals } = JSON.parse(line);
  if (said.totals !== undefined) totals[place] = said.totals;
  if (said.failure === undefined) return;
  failures.push(said.failure);
  if (!values.json) showFailure(said.failure);
}

async function simulateShare(place: number): Promise<void> {
  const count = Math.floor(seeds / processes) + (place < seeds % processes ? 1 : 0);
  const options = {
    from: from + place,
    count,
    stride: processes,
    trace: replay ? 100_000 : 60,
    ...(values.mutant === '' ? {} : { mutant: values.mutant }),
  };
  // The code made from the wire contract has enums, which are more than types.
  const node = ['--experimental-transform-types', '--disable-warning=ExperimentalWarning'];
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const child = spawn(process.execPath, [...node, CHILD, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  for await (const line of createInterface({ input: child.stdout })) take(line, place);
  const code = await ended;
  if (code !== 0) throw new Error(`a process of the simulation ended with code ${code}`);
}

const progress = setInterval(() => {
  if (values.json) return;
  const line = `${sum('done')} of ${seeds} seeds, ${perMinute()} a minute, ${failures.length} failed`;
  process.stderr.write(process.stderr.isTTY ? `\r${line}` : `${line}\n`);
}, 5_000);

try {
  await Promise.all(totals.map((_, place) => simulateShare(place)));
} finally {
  clearInterval(progress);
}

const summary = {
  seeds: sum('done'),
  failed: failures.map(({ seed }) => seed),
  perMinute: perMinute(),
  steps: sum('steps'),
  engines: sum('lives'),
  messages: sum('messages'),
  executions: sum('executions'),
  filesLeftOpen: sum('filesLeftOpen'),
  filesFoundOut: sum('filesFoundOut'),
};
if (values.json) {
  say(JSON.stringify({ ...summary, failures }));
} else {
  showKinds();
  const { seeds: done, perMinute: speed, engines, messages, executions, steps } = summary;
  say(
    `\n${done} seeds (${speed} a minute): ${failures.length} failed; ${engines} engines, ${messages} messages, ${executions} executions, ${steps} steps;` +
      ` of ${summary.filesLeftOpen} changes of files that a crash left open, ${summary.filesFoundOut} were found out`,
  );
}
// Worlds in which nothing happens prove nothing.
const isEmpty = seeds > 1 && summary.messages === 0;
if (isEmpty) process.stderr.write(`no message was sent in ${summary.seeds} seeds: this proves nothing\n`);
process.exitCode = failures.length === 0 && !isEmpty ? 0 : 1;
