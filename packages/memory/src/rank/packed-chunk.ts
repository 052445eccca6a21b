import { dateWords } from '../text/date-words.ts';
import { hashOf, type TermReader } from '../text/term-reader.ts';
import { fold } from '../text/words.ts';
import { shapesOf } from './answer-shape.ts';
import type { Candidate } from './candidate.ts';

/**
 * Terms beyond this in one chunk don't count: a chunk has some hundred, and longer ones are not
 * prose.
 */
const MOST_TERMS = 4_000;
const MOST_LINES = 4_000;

/** All features of a chunk, as stored beside it. */
export interface PackedChunk {
  /**
   * Numbers: the words of the day and of the heading, each list after its count; then line by line
   * the hash of the line, its head (see {@link lineHead}), the hashes of the words of the speaker's
   * name, the hashes of its terms.
   */
  readonly packed: Uint32Array;
  /** Of heading and lines, in order. */
  readonly terms: readonly string[];
}

/** Linear in the text. */
export function packChunk(
  { text, heading, date }: Pick<Candidate, 'text' | 'heading' | 'date'>,
  reader: TermReader,
): PackedChunk {
  const day = reader.read(dateWords(date));
  const title = reader.read(heading);
  const packed = [day.length, ...day.map(hashOfTerm), title.length, ...title.map(hashOfTerm)];
  const terms = title.map(({ term }) => term);
  let length = 0;
  let lines = 0;
  for (const line of text.split('\n')) {
    const read = reader.read(line);
    for (const { term } of read) terms.push(term);
    if (line.trim() === '' || length >= MOST_TERMS || lines >= MOST_LINES) continue;
    const counted = read.slice(0, MOST_TERMS - length);
    const name = speakerOf(line);
    const speaker = name === '' ? [] : name.split(' ').map(hashOf);
    packed.push(hashOf(line), lineHead(counted.length, speaker.length, shapesOf(line)), ...speaker);
    for (const { hash } of counted) packed.push(hash);
    length += counted.length;
    lines += 1;
  }
  return { packed: Uint32Array.from(packed), terms };
}

/**
 * Packs the numbers of terms and of words of the speaker's name, and shapes (see `shapesOf`), in
 * one number.
 */
function lineHead(terms: number, speaker: number, shapes: number): number {
  return terms | (speaker << 16) | (shapes << 24);
}

/** The parts of a {@link lineHead}. */
export function readLineHead(head: number): {
  readonly terms: number;
  readonly speaker: number;
  readonly shapes: number;
} {
  return { terms: head & 0xff_ff, speaker: (head >>> 16) & 0xff, shapes: head >>> 24 };
}

function hashOfTerm({ hash }: { readonly hash: number }): number {
  return hash;
}

/**
 * The speaker of a line of a note: `- Mara: …`, `**Mara:** …`, `Mara (19:05): …`, `[19:05] Mara:
 * …`, `Mara said: …`.
 */
const SPEAKER =
  /^\s{0,12}(?:[-*+>•]\s{1,4}|\d{1,3}[.)]\s{1,4})?(?:\[[^\]\n]{1,30}\]\s{0,4}|\(?\d{1,2}:\d{2}(?::\d{2})?\)?\s{1,4})?[*_]{0,3}(?<name>\p{Lu}[\p{L}\p{M}'’.-]{0,24}(?: \p{Lu}[\p{L}\p{M}'’.-]{0,24}){0,2})[*_]{0,3}\s{0,2}(?:[([][^)\]\n]{1,30}[)\]]\s{0,2})?(?: (?:said|says|wrote|writes|asked|replied))?[*_]{0,3}:/u;

/**
 * @returns The name, folded, or an empty string. Constant time: reads only the start of the line.
 */
export function speakerOf(line: string): string {
  const name = SPEAKER.exec(line.slice(0, 160))?.groups?.['name'];
  return name === undefined ? '' : fold(name);
}
