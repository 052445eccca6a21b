import { dateWords } from '../text/date-words.ts';
import { calendarDay } from '../text/days.ts';
import { speakerOf } from '../text/names.ts';
import { shapesOf } from './answer-shape.ts';
import type { Candidate } from './candidate.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Terms beyond this in one chunk don't count: a chunk has some hundred, and more is not text that people ask about. */
const MOST_TERMS = 4_000;

/** A line of a chunk: what is said, and by whom. */
export interface LineFeatures {
  readonly text: string;
  readonly terms: Uint32Array;
  /** Folded name; empty where nobody is named. */
  readonly speaker: string;
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

/** What a chunk says, over the terms of a vocabulary. Linear in its text. */
export function chunkFeatures(
  candidate: Pick<Candidate, 'text' | 'heading' | 'date'>,
  vocabulary: Vocabulary,
): ChunkFeatures {
  const lines: LineFeatures[] = [];
  let length = 0;
  for (const text of candidate.text.split('\n')) {
    if (text.trim() === '' || length >= MOST_TERMS) continue;
    const terms = vocabulary.idsOf(text).subarray(0, MOST_TERMS - length);
    length += terms.length;
    lines.push({ text, terms, speaker: speakerOf(text), shapes: shapesOf(text) });
  }
  return {
    lines,
    length,
    day: calendarDay(candidate.date),
    date: vocabulary.idsOf(dateWords(candidate.date)),
    heading: vocabulary.idsOf(candidate.heading),
  };
}
