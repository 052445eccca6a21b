import { resolve } from 'node:path';
import { ExportFormat, type ExportSessionResponse } from '@bulkhead/protocol/client';
import { verbUsageError } from '../arguments/verb-table.ts';
import { readableFolder } from '../conversation/run-request.ts';
import { EXIT } from '../exit-code.ts';
import { refuseExisting, writePrivateFile } from '../output/write-private-file.ts';
import type { SessionsVerb } from './sessions-verb.ts';

const FORMATS: Readonly<Record<string, ExportFormat>> = {
  jsonl: ExportFormat.JSONL,
  html: ExportFormat.HTML,
};

const JSONL_FIX = 'Make one with `bulkhead sessions export ID --format jsonl`.';

/** `sessions export ID [--format jsonl|html] [--output FILE [--force]]` */
export const exportSession: SessionsVerb = async ({ client, words, args, stdout, environment }) => {
  const [sessionId = ''] = words;
  const name = args.value('format') ?? 'jsonl';
  const format = Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined;
  if (format === undefined) throw verbUsageError('sessions', `--format is jsonl or html, not "${name}"`);
  const output = args.value('output');
  const force = args.flag('force');
  if (output === undefined) {
    if (force) throw verbUsageError('sessions', '--force needs --output FILE');
    for await (const { chunk } of client.stream('exportSession', { sessionId, format }, stdout.gone))
      stdout.content(chunk);
    return EXIT.completed;
  }
  const path = resolve(environment.cwd, output);
  if (!force) refuseExisting(path);
  const pieces = client.stream('exportSession', { sessionId, format });
  await writePrivateFile(path, chunksOf(pieces), { force, id: environment.newId() });
  if (args.flag('json')) stdout.own(`${JSON.stringify({ session: sessionId, format: name, file: path })}\n`);
  else stdout.line(`exported to ${stdout.safeLine(path)}`);
  return EXIT.completed;
};

async function* chunksOf(pieces: AsyncIterable<ExportSessionResponse>): AsyncGenerator<string> {
  for await (const { chunk } of pieces) yield chunk;
}

/**
 * `sessions import FILE [--cwd DIR] [--own]`: the id of the new session, alone on standard output.
 */
export const importSession: SessionsVerb = async ({ client, words, args, stdout, stderr, environment }) => {
  const [file = ''] = words;
  if (/\.html?$/i.test(file)) {
    throw verbUsageError(
      'sessions',
      `${file} is an HTML export: only a JSON Lines export can be imported`,
      JSONL_FIX,
    );
  }
  const path = resolve(environment.cwd, file);
  const workingFolder = readableFolder(resolve(environment.cwd, args.value('cwd') ?? '.'));
  const { sessionId, rulesLeftOut } = await client.call('importSession', {
    path,
    workingFolder,
    ownWords: args.flag('own'),
  });
  const told = rulesLeftOut.length === 0 ? {} : { rulesLeftOut };
  stdout.line(args.flag('json') ? JSON.stringify({ session: sessionId, ...told }) : stdout.safe(sessionId));
  for (const line of leftOutLines(sessionId, rulesLeftOut)) stderr.line(stderr.safeLine(line));
  if (stderr.isTerminal) stderr.line(`continue with: bulkhead chat --session ${stderr.safe(sessionId)}`);
  return EXIT.completed;
};

/** A file gives no orders: the person who reads it must pin its pinned rules again. */
function leftOutLines(sessionId: string, rules: readonly string[]): readonly string[] {
  if (rules.length === 0) return [];
  const head = 'pinned rules of the file do not apply here; read them, and pin those you want';
  return [`${head} (bulkhead sessions pin ${sessionId} TEXT):`, ...rules.map((rule) => `  - ${rule}`)];
}
