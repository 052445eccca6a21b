import type { MemoryFile, MemoryHit, ShowMemoryResponse } from '@bulkhead/protocol/client';
import type { Output } from './output.ts';

/** The searched part of each file, as in docs/memory.md. */
const SEARCHED_BYTES = 16n * 1_024n * 1_024n;

/** Shown during a slow search: the first one after a change reads the new text. */
export const SEARCHING = 'reading changes, then searching';

/** The hits of a memory search, each with its place. */
export function printHits(hits: readonly MemoryHit[], stdout: Output): void {
  const { bold, dim } = stdout.palette;
  if (hits.length === 0) stdout.line('nothing found');
  for (const { path, heading, date, firstLine, lastLine, text } of hits) {
    const facts = [heading, heading.includes(date) ? '' : date]
      .filter((fact) => fact !== '')
      .map((fact) => stdout.safeLine(fact));
    stdout.line(`${bold(`${stdout.safeLine(path)}:${firstLine}-${lastLine}`)}  ${dim(facts.join('  '))}`);
    for (const line of text.trim().split('\n')) stdout.line(`  ${stdout.safeLine(line)}`);
  }
}

/** The files of memory, with notes on each for the person. */
export function printFiles(
  { files, folder, problems, openProposals }: ShowMemoryResponse,
  stdout: Output,
): void {
  if (files.length === 0) stdout.line(`no memory yet; it will be in ${stdout.safeLine(folder)}`);
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
  if (conflict) stdout.line(`  ${red('a conflict copy of a sync tool: merge it by hand')}`);
  if (hidden > 0) stdout.line(`  ${red(`${hidden} of its lines have invisible characters`)}`);
}

function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
