/*
 * `npm run proof -- [--only NAME] [--list]`: the long runs of docs/proof.md, one after the other.
 * Each has a share in `npm test`. Exit code 1 if one failed.
 */
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

interface Proof {
  readonly name: string;
  readonly what: string;
  readonly script: string;
  readonly args: readonly string[];
}

const PROOFS: readonly Proof[] = [
  {
    name: 'simulate',
    what: '10,000 seeds in virtual time',
    script: 'test/simulator/main.ts',
    args: ['--seeds', '10000'],
  },
  {
    name: 'crash',
    what: '300 kills of real processes',
    script: 'scripts/crash.ts',
    args: ['--kills', '300'],
  },
  {
    name: 'power',
    what: 'every loss of power in two records, and 60 on a real file system',
    script: 'scripts/power.ts',
    args: [],
  },
  {
    name: 'faults',
    what: 'the table of docs/faults.md from outside, five times over',
    script: 'scripts/faults.ts',
    args: ['--scale', '5'],
  },
  {
    name: 'soak',
    what: 'ten minutes of work, and what grows meanwhile',
    script: 'scripts/faults.ts',
    args: ['--soak', '10'],
  },
  {
    name: 'race',
    what: 'a million attempts to lead the file tools astray',
    script: 'scripts/race.ts',
    args: [],
  },
  {
    name: 'sweeps',
    what: 'all of what `npm test` tries a share of: kill points, torn bytes, pages, seeds, large commits',
    script: 'scripts/sweeps.ts',
    args: [],
  },
  {
    name: 'properties',
    what: 'every property with values from a random seed',
    script: 'scripts/sweeps.ts',
    args: ['--properties'],
  },
];

const root = dirname(import.meta.dirname);
const { values } = parseArgs({
  options: { only: { type: 'string' }, list: { type: 'boolean', default: false } },
});

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

const chosen = PROOFS.filter(({ name }) => values.only === undefined || values.only === name);
if (chosen.length === 0) {
  say(`There is no proof ${values.only}. \`npm run proof -- --list\` names them.`);
  process.exit(2);
}
for (const { name, what, script, args } of chosen) {
  if (values.list) {
    say(`${name.padEnd(11)} ${what}`);
    continue;
  }
  say(`\n${name}: ${what}`);
  const file = join(root, script);
  const { status } = spawnSync(process.execPath, [...process.execArgv, file, ...args], { stdio: 'inherit' });
  say(`${name}: ${status === 0 ? 'passed' : 'failed'}`);
  if (status !== 0) process.exitCode = 1;
}
