import { CHUNK_LENGTH, OVERLAP_LENGTH } from './chunk.ts';
import { dayOfHeading } from './day-of.ts';

/** A line, or a piece of a very long one, with its headings. */
export interface TextLine {
  readonly text: string;
  /** From 1. */
  readonly number: number;
  /** Trail of headings, including the line itself if it is one. */
  readonly heading: string;
  readonly date: string;
  readonly isHeading: boolean;
}

const HEADING = /^ {0,3}(#{1,6})[ \t]+(.*)$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const FRONT_MATTER = /^---[ \t]*$/;
const FRONT_MATTER_END = /^(?:---|\.\.\.)[ \t]*$/;
/** `---` without an end within these lines is not front matter, but a rule. */
const MOST_FRONT_MATTER = 200;
/** Of one heading in a trail, in characters: a trail is shown with every hit. */
const MOST_HEADING = 120;

interface Heading {
  readonly level: number;
  readonly title: string;
  readonly day: string;
}

/**
 * The lines of a Markdown text, in order. Linear in its length.
 * @param day of the text where no heading contains another
 */
export function* textLines(text: string, day: string): Generator<TextLine> {
  const lines = text.split(/\r?\n/);
  const ahead = frontMatterEnd(lines);
  const open: Heading[] = [];
  let fence = '';
  let trail = { heading: '', date: day };
  for (const [index, line] of lines.entries()) {
    const number = index + 1;
    const wasFenced = fence !== '';
    fence = fenceAfter(fence, line);
    const heading = index < ahead || wasFenced || fence !== '' ? undefined : headingOf(line);
    if (heading !== undefined) {
      while ((open.at(-1)?.level ?? 0) >= heading.level) open.pop();
      open.push(heading);
      trail = {
        heading: open.map(({ title }) => title).join(' > '),
        date: open.findLast((one) => one.day !== '')?.day ?? day,
      };
    }
    for (const piece of pieces(line)) {
      yield { text: piece, number, ...trail, isHeading: heading !== undefined };
    }
  }
}

/** @returns number of lines that are front matter */
function frontMatterEnd(lines: readonly string[]): number {
  if (!FRONT_MATTER.test(lines[0] ?? '')) return 0;
  for (let index = 1; index < Math.min(lines.length, MOST_FRONT_MATTER); index += 1) {
    if (FRONT_MATTER_END.test(lines[index] ?? '')) return index + 1;
  }
  return 0;
}

/** @returns the marker of the fence that is open after the line; empty if none */
function fenceAfter(fence: string, line: string): string {
  const marker = FENCE.exec(line)?.[1] ?? '';
  if (fence === '') return marker;
  const closes = marker.startsWith(fence) && line.trim() === marker;
  return closes ? '' : fence;
}

function headingOf(line: string): Heading | undefined {
  // A longer line is not a heading; patterns only run on short texts.
  if (line.length > 4 * MOST_HEADING) return undefined;
  const found = HEADING.exec(line);
  if (found === null) return undefined;
  const title = (found[2] ?? '').replace(/[ \t]#+[ \t]*$/, '').trim();
  return { level: found[1]?.length ?? 1, title: title.slice(0, MOST_HEADING), day: dayOfHeading(title) };
}

/**
 * Yields a short line unchanged, and a longer one in pieces that overlap as chunks do, cut at a
 * space if possible.
 */
function* pieces(line: string): Generator<string> {
  let start = 0;
  while (line.length - start > CHUNK_LENGTH) {
    const end = cutBefore(line, start + CHUNK_LENGTH, start + CHUNK_LENGTH / 2);
    yield line.slice(start, end);
    start = cutBefore(line, end - OVERLAP_LENGTH / 2, end - OVERLAP_LENGTH);
  }
  yield line.slice(start);
}

/**
 * The last good position to cut in `(least, most]`; never within a surrogate pair. Searches no
 * further back.
 */
function cutBefore(line: string, most: number, least: number): number {
  const space = line.slice(least, most).lastIndexOf(' ');
  if (space > 0) return least + space + 1;
  const code = line.charCodeAt(most);
  return code >= 0xdc00 && code <= 0xdfff ? most - 1 : most;
}
