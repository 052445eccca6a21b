import { calendarDay } from '../text/days.ts';
import { readLineHead } from './packed-chunk.ts';

/** All features of a chunk, for any question. */
export interface ChunkFeatures {
  /**
   * By line: its hash; the end of its terms in {@link terms}; see `shapesOf`; the words of its
   * speaker's name, empty without a speaker.
   */
  readonly hashes: readonly number[];
  readonly ends: readonly number[];
  readonly shapes: readonly number[];
  readonly speakers: readonly Uint32Array[];
  /** Terms of all lines in one array, as every search scans it. */
  readonly terms: Uint32Array;
  /** Number of terms. */
  readonly length: number;
  /** The day as a number; see `calendarDay`. */
  readonly day: number | undefined;
  /** Terms of the day in words, and of the heading. */
  readonly date: Uint32Array;
  readonly heading: Uint32Array;
}

/** Parses the output of `packChunk`; other data gives features that match nothing. */
export function chunkFeatures(packed: Uint32Array, date: string): ChunkFeatures {
  const headingAt = 1 + (packed[0] ?? 0);
  const linesAt = headingAt + 1 + (packed[headingAt] ?? 0);
  const hashes: number[] = [];
  const ends: number[] = [];
  const shapes: number[] = [];
  const speakers: Uint32Array[] = [];
  const terms = new Uint32Array(packed.length);
  let length = 0;
  for (let at = linesAt; at + 1 < packed.length; ) {
    const head = readLineHead(packed[at + 1] ?? 0);
    const termsAt = at + 2 + head.speaker;
    at = termsAt + head.terms;
    const said = packed.subarray(termsAt, at);
    terms.set(said, length);
    length += said.length;
    hashes.push(packed[termsAt - head.speaker - 2] ?? 0);
    ends.push(length);
    shapes.push(head.shapes);
    speakers.push(head.speaker === 0 ? NOBODY : packed.slice(termsAt - head.speaker, termsAt));
  }
  return {
    hashes,
    ends,
    shapes,
    speakers,
    terms: terms.slice(0, length),
    length,
    day: calendarDay(date),
    date: packed.slice(1, headingAt),
    heading: packed.slice(headingAt + 1, linesAt),
  };
}

const NOBODY = new Uint32Array(0);
