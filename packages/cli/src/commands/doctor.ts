import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { connectEngine } from '@bulkhead/engine/client';
import { BulkheadError } from '@bulkhead/protocol';
import { JSON_OPTION } from '../arguments/option-table.ts';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import type { Command } from '../command.ts';
import type { Environment } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { homeOf } from '../home.ts';
import { Output } from '../output/output.ts';

const LIMIT_MS = 60_000;

export const doctorCommand: Command = {
  usage: '[--json]',
  about: 'Checks this machine, the sandbox and the configuration.',
  details: ['Exit codes: 0 all is well, 1 a check failed.'],
  options: JSON_OPTION,
  run,
};

/** One line of the engine's report. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly fix: string;
}

async function run(args: ParsedArguments, environment: Environment): Promise<number> {
  const checks = [...parseReport(await readReport(environment)), ...(await runningEngine(environment))];
  const stdout = new Output(environment.stdout, environment.env);
  if (args.flag('json')) {
    stdout.own(`${JSON.stringify({ ok: checks.every(({ ok }) => ok), checks })}\n`);
  } else {
    for (const check of checks) showCheck(check, stdout);
  }
  return checks.every(({ ok }) => ok) ? EXIT.completed : EXIT.failed;
}

function showCheck(check: Check, stdout: Output): void {
  const { green, red } = stdout.palette;
  stdout.line(
    `${check.ok ? green('ok  ') : red('FAIL')} ${stdout.safe(check.name)}: ${stdout.safe(check.detail)}`,
  );
  if (!check.ok && check.fix !== '') stdout.line(`     ${stdout.safe(check.fix)}`);
}

/** What the report can't know: whether the engine that runs now was started without a sandbox. */
async function runningEngine(environment: Environment): Promise<readonly Check[]> {
  try {
    using client = await connectEngine(homeOf(environment));
    if ((await client.status()).sandbox !== 'off') return [];
  } catch (cause) {
    // None runs, or one that can't be asked: nothing is said about it.
    if (BulkheadError.is(cause)) return [];
    throw cause;
  }
  const detail = 'it was started with --insecure-no-sandbox: nothing it runs is boxed';
  return [{ name: 'running engine', ok: false, detail, fix: 'Run `bulkhead stop`, then start it without.' }];
}

/** The engine's own program does the checks: it knows what it needs. */
async function readReport(environment: Environment): Promise<string> {
  const child = spawn(process.execPath, [fileURLToPath(environment.entries.engine), 'doctor'], {
    env: { ...environment.env, BULKHEAD_HOME: homeOf(environment).root },
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  const chunks: Buffer[] = [];
  const failed = new Promise<never>((_, reject) => child.once('error', reject));
  const read = async () => {
    for await (const chunk of child.stdout) chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks).toString('utf8');
  };
  try {
    return await Promise.race([read(), failed]);
  } catch (cause) {
    throw noReport(cause);
  }
}

/** @throws BulkheadError if it isn't a report: absence of checks is never success */
export function parseReport(text: string): readonly Check[] {
  const report = parseJson(text);
  const list =
    typeof report === 'object' && report !== null && 'checks' in report ? report.checks : undefined;
  if (!Array.isArray(list) || list.length === 0) throw noReport(undefined);
  return list.map((entry: unknown) => toCheck(entry));
}

function toCheck(entry: unknown): Check {
  const fields = new Map<string, unknown>(
    typeof entry === 'object' && entry !== null ? Object.entries(entry) : [],
  );
  const text = (name: string) => {
    const value = fields.get(name);
    return typeof value === 'string' ? value : '';
  };
  return { name: text('name'), ok: fields.get('ok') === true, detail: text('detail'), fix: text('fix') };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function noReport(cause: unknown): BulkheadError {
  return new BulkheadError('internal', 'the checks gave no report', {
    fix: 'Build again with `npm run build`.',
    cause,
  });
}
