import { dateWords } from '../text/date-words.ts';
import { speakerOf } from '../text/names.ts';
import { hashOf, type TermReader } from '../text/term-reader.ts';
import { shapesOf } from './answer-shape.ts';
import type { Candidate } from './candidate.ts';

/** Terms beyond this in one chunk don't count: a chunk has some hundred, and more is not text that people ask about. */
const MOST_TERMS = 4_000;
const MOST_LINES = 4_000;

/** All that any question needs of a chunk, as it is kept beside the chunk. */
export interface PackedChunk {
  /**
   * Numbers: of the words of the day, of the heading, each with their count before; then line by line the hash of the line, its head (see
   * {@link lineHead}), the hashes of the words of the speaker's name, the hashes of its terms.
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

/** Number of terms, of words of the speaker's name, and shapes (see `shapesOf`) in one number. */
function lineHead(terms: number, speaker: number, shapes: number): number {
  return terms | (speaker << 16) | (shapes << 24);
}

/** What {@link lineHead} was made of. */
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
