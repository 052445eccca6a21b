import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { judgeCase, openEvaluation, parseEvalCase } from '@bulkhead/engine/offline/shield';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import { unreadable } from '../arguments/unreadable.ts';
import type { Environment } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { Output } from '../output/output.ts';
import { EvalCounts } from './eval-counts.ts';
import { evaluationSettings } from './shield-settings.ts';

/** Judges every line of a cases file, in order, with one verdict line each. */
export async function evaluateFile(
  file: string,
  args: ParsedArguments,
  environment: Environment,
): Promise<number> {
  const open = openEvaluation(evaluationSettings(args, environment));
  const stdout = new Output(environment.stdout, environment.env);
  const path = file === '-' ? file : resolve(environment.cwd, file);
  const counts = new EvalCounts();
  let number = 0;
  for await (const line of linesOf(path, environment.stdin)) {
    number += 1;
    if (line.trim() === '') continue;
    const subject = parseEvalCase(line, `${file}:${number}`);
    const verdicts = await judgeCase(subject, open(subject), () => performance.now());
    stdout.own(`${JSON.stringify(verdicts)}\n`);
    counts.add(subject, verdicts);
    if (stdout.gone.aborted) return EXIT.cancelled;
  }
  if (args.flag('summary')) environment.stderr.write(`${counts.lines().join('\n')}\n`);
  return EXIT.completed;
}

async function* linesOf(path: string, stdin: Readable): AsyncGenerator<string> {
  const input = path === '-' ? stdin : createReadStream(path, 'utf8');
  try {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) yield line;
  } catch (cause) {
    throw unreadable(path, cause, 'Name a file of cases, or - for standard input.');
  }
}
