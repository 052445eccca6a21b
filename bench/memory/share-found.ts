import type { MemoryHit } from '@bulkhead/memory';
import { shows } from './notebook.ts';
import type { AskedQuestion } from './people.ts';

const PLACES = 5;

/** Where the lines of an answer were found: the places, from 1, of the first and of the last of them; infinite where not. */
export interface Found {
  readonly question: AskedQuestion;
  readonly first: number;
  readonly last: number;
}

/** @param hits best first */
export function found(question: AskedQuestion, hits: readonly Pick<MemoryHit, 'date' | 'text'>[]): Found {
  const places = question.evidence.map((line) => {
    const at = hits.findIndex((hit) => shows(hit, line));
    return at < 0 ? Number.POSITIVE_INFINITY : at + 1;
  });
  return { question, first: Math.min(...places), last: Math.max(...places) };
}

/** Percent of the questions whose lines are in the first five chunks: every line, and one at least. */
export function shareFound(all: readonly Found[]): { readonly all: number; readonly any: number } {
  const share = (which: 'first' | 'last') =>
    (100 * all.filter((one) => one[which] <= PLACES).length) / Math.max(1, all.length);
  return { all: share('last'), any: share('first') };
}

/** A smooth figure for tuning, 0 to 100: also a line that moves from place nine to place seven counts. */
export function nearness(all: readonly Found[]): number {
  const worth = (place: number) => 1 / (1 + Math.log2(1 + place));
  const sum = all.reduce((total, { first, last }) => total + 2 * worth(last) + worth(first), 0);
  return (100 * sum) / (1.5 * Math.max(1, all.length));
}
