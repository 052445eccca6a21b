import { calendarDay } from '../text/days.ts';
import { readLineHead } from './packed-chunk.ts';

/** A line of a chunk: what is said, and by whom; words and names as `hashOf` gives them. */
export interface LineFeatures {
  readonly hash: number;
  readonly terms: Uint32Array;
  /** The words of the speaker's name; none where nobody is named. */
  readonly speaker: Uint32Array;
  /** See `shapesOf`. */
  readonly shapes: number;
}

/** All that any question needs of a chunk. */
export interface ChunkFeatures {
  readonly lines: readonly LineFeatures[];
  /** Number of terms. */
  readonly length: number;
  /** The day as a number; see `calendarDay`. */
  readonly day: number | undefined;
  /** Terms of the day in words, and of the heading. */
  readonly date: Uint32Array;
  readonly heading: Uint32Array;
}

/** Reads what `packChunk` wrote; what anybody else wrote gives features that fit nothing. */
export function chunkFeatures(packed: Uint32Array, date: string): ChunkFeatures {
  const headingAt = 1 + (packed[0] ?? 0);
  const linesAt = headingAt + 1 + (packed[headingAt] ?? 0);
  const lines: LineFeatures[] = [];
  let length = 0;
  for (let at = linesAt; at + 1 < packed.length; ) {
    const { terms, speaker, shapes } = readLineHead(packed[at + 1] ?? 0);
    const speakerAt = at + 2;
    const termsAt = speakerAt + speaker;
    lines.push({
      hash: packed[at] ?? 0,
      terms: packed.subarray(termsAt, termsAt + terms),
      speaker: speaker === 0 ? NOBODY : packed.subarray(speakerAt, termsAt),
      shapes,
    });
    length += terms;
    at = termsAt + terms;
  }
  return {
    lines,
    length,
    day: calendarDay(date),
    date: packed.subarray(1, headingAt),
    heading: packed.subarray(headingAt + 1, linesAt),
  };
}

const NOBODY = new Uint32Array(0);
