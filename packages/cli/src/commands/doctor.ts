import { fileURLToPath } from 'node:url';
import { connectEngine } from '@bulkhead/client';
import {
  type Check,
  type CheckState,
  removeDamagedCopy,
  runDoctor,
  runningEngineCheck,
} from '@bulkhead/engine/offline/doctor';
import { BulkheadError } from '@bulkhead/protocol';
import { JSON_OPTION } from '../arguments/option-table.ts';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import type { Command } from '../command.ts';
import type { Environment } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { homeOf } from '../home.ts';
import { openEngine } from '../open-engine.ts';
import { Output } from '../output/output.ts';

export const doctorCommand: Command = {
  usage: '[--json] [--confirm-clock | --remove-copy NAME]',
  about: 'Checks this machine, the sandbox and the configuration.',
  details: [
    '--confirm-clock confirms the clock after it jumped or the machine was off for days: old data is removed by its age',
    'again from then on. Without it, this waits until the clock was steady for a day of running time.',
    '--remove-copy NAME removes a copy of a session database that had lost records. The engine makes such a copy before it',
    'writes to the database, and keeps four at most; this command lists them.',
    'Exit codes: 0 no check failed, 1 a check failed. Warnings do not count as failures.',
  ],
  options: {
    ...JSON_OPTION,
    'confirm-clock': { about: 'confirm that the clock is right' },
    'remove-copy': { about: 'remove a copy of a damaged session database', value: 'NAME' },
  },
  run,
};

const WORDS: Readonly<Record<CheckState, string>> = { ok: 'ok  ', warn: 'warn', bad: 'FAIL' };

async function run(args: ParsedArguments, environment: Environment): Promise<number> {
  if (args.flag('confirm-clock') && args.value('remove-copy') !== undefined) {
    throw new BulkheadError('usage', "--confirm-clock and --remove-copy can't be combined", {
      fix: 'Run `bulkhead doctor` once with each.',
    });
  }
  if (args.flag('confirm-clock')) return await confirmClock(args, environment);
  const copy = args.value('remove-copy');
  if (copy !== undefined) return removeCopy(copy, args, environment);
  const checks = await runDoctor({
    nodePath: process.execPath,
    engine: fileURLToPath(environment.entries.engine),
    environment: { ...environment.env, BULKHEAD_HOME: homeOf(environment).root },
  });
  const all = [...checks, ...(await runningEngine(environment))];
  const ok = all.every(({ state }) => state !== 'bad');
  const stdout = new Output(environment.stdout, environment.env);
  if (args.flag('json')) {
    const rows = all.map(({ name, state, detail, fix }) => ({
      name,
      ok: state !== 'bad',
      state,
      detail,
      fix,
    }));
    stdout.own(`${JSON.stringify({ ok, checks: rows })}\n`);
  } else {
    for (const check of all) showCheck(check, stdout);
  }
  return ok ? EXIT.completed : EXIT.failed;
}

/** The home's running engine runs the checks; without one, this command starts one. */
async function confirmClock(args: ParsedArguments, environment: Environment): Promise<number> {
  const signal = new AbortController().signal;
  const { link } = await openEngine(homeOf(environment), environment, { signal });
  using _link = link;
  const { now, changed, countedSeconds } = await link.once((client) =>
    client.call('confirmClock', {}, signal),
  );
  const stdout = new Output(environment.stdout, environment.env);
  const days = Math.round(Number(countedSeconds) / 8_640) / 10;
  if (args.flag('json'))
    stdout.own(`${JSON.stringify({ now, changed, countedSeconds: Number(countedSeconds) })}\n`);
  else if (!changed) stdout.line(`nothing to confirm: the clock says ${now}, as expected`);
  else stdout.line(`confirmed: the clock says ${now}; ${days} days count as passed`);
  return EXIT.completed;
}

function removeCopy(name: string, args: ParsedArguments, environment: Environment): number {
  removeDamagedCopy(homeOf(environment), name);
  const stdout = new Output(environment.stdout, environment.env);
  if (args.flag('json')) stdout.own(`${JSON.stringify({ removed: name })}\n`);
  else stdout.line(`removed: ${stdout.safe(name)}`);
  return EXIT.completed;
}

function showCheck({ name, state, detail, fix }: Check, stdout: Output): void {
  const { green, yellow, red } = stdout.palette;
  const colours = { ok: green, warn: yellow, bad: red };
  stdout.line(`${colours[state](WORDS[state])} ${stdout.safe(name)}: ${stdout.safe(detail)}`);
  if (state !== 'ok' && fix !== '') stdout.line(`     ${stdout.safe(fix)}`);
}

/** Checks that only a running engine can do. Without an engine that answers, they are left out. */
async function runningEngine(environment: Environment): Promise<readonly Check[]> {
  try {
    using client = await connectEngine(homeOf(environment));
    const check = runningEngineCheck((await client.call('status', {})).sandbox);
    return check === undefined ? [] : [check];
  } catch (cause) {
    if (BulkheadError.is(cause)) return [];
    throw cause;
  }
}
