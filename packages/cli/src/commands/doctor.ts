import { fileURLToPath } from 'node:url';
import { connectEngine } from '@bulkhead/engine/client';
import { type Check, type CheckState, runDoctor, runningEngineCheck } from '@bulkhead/engine/client/doctor';
import { BulkheadError } from '@bulkhead/protocol';
import { JSON_OPTION } from '../arguments/option-table.ts';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import type { Command } from '../command.ts';
import type { Environment } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { homeOf } from '../home.ts';
import { Output } from '../output/output.ts';

export const doctorCommand: Command = {
  usage: '[--json]',
  about: 'Checks this machine, the sandbox and the configuration.',
  details: ['Exit codes: 0 all is well, 1 a check failed. What only could be better (warn) fails nothing.'],
  options: JSON_OPTION,
  run,
};

const WORDS: Readonly<Record<CheckState, string>> = { ok: 'ok  ', warn: 'warn', bad: 'FAIL' };

async function run(args: ParsedArguments, environment: Environment): Promise<number> {
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

function showCheck({ name, state, detail, fix }: Check, stdout: Output): void {
  const { green, yellow, red } = stdout.palette;
  const colours = { ok: green, warn: yellow, bad: red };
  stdout.line(`${colours[state](WORDS[state])} ${stdout.safe(name)}: ${stdout.safe(detail)}`);
  if (state !== 'ok' && fix !== '') stdout.line(`     ${stdout.safe(fix)}`);
}

/** What only an engine that runs can tell. None runs, or one that can't be asked: nothing is said about it. */
async function runningEngine(environment: Environment): Promise<readonly Check[]> {
  try {
    using client = await connectEngine(homeOf(environment));
    const check = runningEngineCheck((await client.status()).sandbox);
    return check === undefined ? [] : [check];
  } catch (cause) {
    if (BulkheadError.is(cause)) return [];
    throw cause;
  }
}
