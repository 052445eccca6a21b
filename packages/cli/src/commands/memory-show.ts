import type { MemoryFile, ShowMemoryResponse } from '@bulkhead/protocol/client';
import { EXIT } from '../exit-code.ts';
import type { Output } from '../output/output.ts';
import type { MemoryVerb } from './memory-verb.ts';

/** Of each file this much is searched, as docs/memory.md has it. */
const SEARCHED_BYTES = 16n * 1_024n * 1_024n;

/** `memory show [FILE]` */
export const showMemory: MemoryVerb = async ({ client, words, args, stdout, stderr }) => {
  const [path = ''] = words;
  const shown = await client.showMemory(path);
  if (path !== '') {
    if (args.flag('json')) stdout.own(`${JSON.stringify({ path, text: shown.text, cut: shown.cut })}\n`);
    else stdout.content(shown.text.endsWith('\n') || shown.text === '' ? shown.text : `${shown.text}\n`);
    if (shown.cut) stderr.line(`only the beginning of ${stderr.safeLine(path)} is shown`);
    return EXIT.completed;
  }
  if (args.flag('json')) stdout.own(`${JSON.stringify(listAsJson(shown))}\n`);
  else printFiles(shown, stdout);
  return EXIT.completed;
};

export function printFiles(
  { files, folder, problems, openProposals }: ShowMemoryResponse,
  stdout: Output,
): void {
  if (files.length === 0) stdout.line(`no memory yet; it will lie in ${stdout.safeLine(folder)}`);
  for (const file of files) printFile(file, stdout);
  for (const problem of problems) stdout.line(stdout.palette.red(stdout.safeLine(problem)));
  if (openProposals > 0) stdout.line(`${openProposals} to review: bulkhead memory review`);
}

function printFile({ path, bytes, entries, modifiedAt, conflict, hidden }: MemoryFile, stdout: Output): void {
  const { bold, dim, red } = stdout.palette;
  const count = entries < 0 ? 'many entries' : `${entries} ${entries === 1 ? 'entry' : 'entries'}`;
  stdout.line(
    `${bold(stdout.safeLine(path))}  ${dim(`${count}, ${sizeText(Number(bytes))}, changed ${modifiedAt}`)}`,
  );
  if (bytes > SEARCHED_BYTES)
    stdout.line(`  ${red('searched up to 16 MiB only: move older parts to files in knowledge/')}`);
  if (conflict) stdout.line(`  ${red('a copy that a sync tool kept of two changes: merge it by hand')}`);
  if (hidden > 0) stdout.line(`  ${red(`${hidden} of its lines have characters that nobody sees`)}`);
}

function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function listAsJson({ files, folder, problems, openProposals }: ShowMemoryResponse) {
  const shown = files.map(({ $typeName: _, bytes, ...file }) => ({ ...file, bytes: Number(bytes) }));
  return { folder, files: shown, problems, openProposals };
}
