import type { Ranked } from '@bulkhead/memory';
import type { Notebook } from './notebook.ts';
import type { AskedQuestion } from './people.ts';

const PLACES = 5;

/** Where the lines of an answer were found: the places, from 1, of the first and of the last of them. */
export interface Found {
  readonly question: AskedQuestion;
  readonly first: number;
  readonly last: number;
}

/** Asks all the questions. */
export function ask(
  notebook: Notebook,
  questions: readonly AskedQuestion[],
  order: (query: string) => readonly Ranked[],
): readonly Found[] {
  return questions.map((question) => {
    const ranked = order(question.question);
    const places = question.evidence.map((line) => placeOf(notebook, ranked, line));
    return { question, first: Math.min(...places), last: Math.max(...places) };
  });
}

/** Percent of the questions whose lines are in the first five chunks: every line, and one at least. */
export function shareFound(found: readonly Found[]): { readonly all: number; readonly any: number } {
  const share = (which: 'first' | 'last') =>
    (100 * found.filter((one) => one[which] <= PLACES).length) / Math.max(1, found.length);
  return { all: share('last'), any: share('first') };
}

/** A smooth figure for tuning, 0 to 100: also a line that moves from place nine to place seven counts. */
export function nearness(found: readonly Found[]): number {
  const worth = (place: number) => 1 / (1 + Math.log2(1 + place));
  const sum = found.reduce((total, { first, last }) => total + 2 * worth(last) + worth(first), 0);
  return (100 * sum) / (1.5 * Math.max(1, found.length));
}

function placeOf(
  notebook: Notebook,
  ranked: readonly Ranked[],
  line: AskedQuestion['evidence'][number],
): number {
  const at = ranked.findIndex(({ id }) => notebook.shows(id, line));
  return at < 0 ? Number.POSITIVE_INFINITY : at + 1;
}
