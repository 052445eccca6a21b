import { CHUNK_LENGTH, type Chunk, OVERLAP_LENGTH } from './chunk.ts';
import { dayOfPath } from './day-of.ts';
import { type TextLine, textLines } from './text-lines.ts';

/**
 * A heading starts a new chunk once the previous one has this many characters; short sections stay
 * together.
 */
const ENOUGH_BEFORE_HEADING = CHUNK_LENGTH / 4;
/** A full chunk ends at a heading or blank line in this last part, if any. */
const EARLIEST_CUT = CHUNK_LENGTH * 0.6;

/**
 * Cuts a Markdown text into chunks of at most `CHUNK_LENGTH` characters, between lines. A heading
 * with another date always starts a new chunk; other headings and blank lines are preferred cuts.
 * Neighbouring chunks share up to `OVERLAP_LENGTH` characters, except at the start of a section.
 * Linear in the text's length; the same text and path always give the same chunks.
 *
 * @param text decoded, without a byte order mark
 * @param path its name may contain the day
 */
export function chunkText(text: string, path: string): readonly Chunk[] {
  const lines = [...textLines(text, dayOfPath(path))];
  const chunks: Chunk[] = [];
  for (let start = 0; start < lines.length; ) {
    const end = endOf(lines, start);
    const chunk = chunkOf(lines, start, end, chunks.length);
    if (chunk !== undefined) chunks.push(chunk);
    start = nextStart(lines, start, end);
  }
  return chunks;
}

/** @returns index after the last line of the chunk with start `start` */
function endOf(lines: readonly TextLine[], start: number): number {
  const date = lines[start]?.date ?? '';
  let length = 0;
  let cut = 0;
  for (let index = start; index < lines.length; index += 1) {
    const line = lines[index];
    if (line === undefined) break;
    const longer = length + line.text.length + 1;
    if (index > start && beginsSection(line, date, length)) return index;
    if (index > start && longer > CHUNK_LENGTH + 1) return cut || index;
    length = longer;
    if (length >= EARLIEST_CUT && line.text.trim() === '') cut = index + 1;
  }
  return lines.length;
}

/** True for a heading before which a chunk of that date and length ends. */
function beginsSection(line: TextLine, date: string, length: number): boolean {
  return line.isHeading && (line.date !== date || length >= ENOUGH_BEFORE_HEADING);
}

/**
 * Returns the next chunk's start, before `end` because of the overlap, and always after `start`.
 */
function nextStart(lines: readonly TextLine[], start: number, end: number): number {
  const first = lines[end];
  if (first === undefined || first.isHeading) return end;
  let shared = 0;
  let next = end;
  while (next - 1 > start) {
    const before = lines[next - 1];
    if (before === undefined || before.number === first.number) break;
    shared += before.text.length + 1;
    if (shared > OVERLAP_LENGTH) break;
    next -= 1;
    if (before.isHeading) break;
  }
  return next;
}

/** @returns undefined if there are only blank lines */
function chunkOf(lines: readonly TextLine[], start: number, end: number, ordinal: number): Chunk | undefined {
  let from = start;
  let to = end;
  while (from < to && lines[from]?.text.trim() === '') from += 1;
  while (to > from && lines[to - 1]?.text.trim() === '') to -= 1;
  const first = lines[from];
  const last = lines[to - 1];
  if (first === undefined || last === undefined || from === to) return undefined;
  return {
    ordinal,
    heading: first.heading,
    date: first.date,
    lines: [first.number, last.number],
    text: lines
      .slice(from, to)
      .map((line) => line.text)
      .join('\n'),
  };
}
