import { BulkheadError } from '@bulkhead/protocol';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import type { Command } from '../command.ts';
import type { Environment } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { homeOf } from '../home.ts';
import { readableLogLine } from '../output/log-line.ts';
import { Output } from '../output/output.ts';
import { tailFile } from '../output/tail-file.ts';

const DEFAULT_LINES = 50;

export const logsCommand: Command = {
  usage: '[-f] [-n N] [--supervisor] [--json]',
  about: "Shows the end of the engine's log, or of its supervisor's.",
  details: ["The supervisor's log says why an engine did not start or ended unexpectedly."],
  options: {
    follow: { about: 'follow the log', short: 'f' },
    lines: { about: `number of lines (${DEFAULT_LINES})`, short: 'n', value: 'N' },
    supervisor: {
      about: 'the log of the supervisor: starts, crashes and the last output of a crashed engine',
    },
    json: { about: 'print the lines as they are' },
  },
  run,
};

async function run(args: ParsedArguments, environment: Environment): Promise<number> {
  const name = args.flag('supervisor') ? 'supervisor.log' : 'engine.log';
  const path = `${homeOf(environment).logs}/${name}`;
  const stdout = new Output(environment.stdout, environment.env);
  const stop = new AbortController();
  using _interrupts = environment.onInterrupt(() => stop.abort());
  const signal = AbortSignal.any([stop.signal, stdout.gone]);
  const lines = linesOf(args.value('lines'));
  try {
    for await (const line of tailFile(path, { lines, follow: args.flag('follow'), signal })) {
      stdout.own(args.flag('json') ? `${line}\n` : `${readable(line, stdout)}\n`);
    }
  } catch (cause) {
    throw logError(path, cause);
  }
  return stop.signal.aborted ? EXIT.cancelled : EXIT.completed;
}

/** Sanitized first, coloured second. */
function readable(line: string, stdout: Output): string {
  const { text, problem } = readableLogLine(line);
  const safe = stdout.safe(text).replaceAll('\n', ' ');
  return problem ? stdout.palette.yellow(safe) : safe;
}

function linesOf(value: string | undefined): number {
  if (value === undefined) return DEFAULT_LINES;
  if (/^\d{1,7}$/.test(value)) return Number(value);
  throw new BulkheadError('usage', `-n is a whole number, not "${value}"`, {
    fix: 'See `bulkhead logs --help`.',
  });
}

function logError(path: string, cause: unknown): BulkheadError {
  const missing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
  return new BulkheadError(
    missing ? 'not_found' : 'not_available',
    missing ? `there is no log at ${path}: no engine ran here yet` : `the log ${path} can't be read`,
    { fix: missing ? 'Start one with `bulkhead start --daemon`.' : 'Check who may read it.', cause },
  );
}
