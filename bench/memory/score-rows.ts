import { RANK_WEIGHTS, Ranker, type RankWeights } from '@bulkhead/memory';
import { type Notebook, notebookOf } from './notebook.ts';
import type { Person } from './people.ts';
import { plainBm25 } from './plain-bm25.ts';
import { ask, type Found, nearness, shareFound } from './share-found.ts';

/** One line of the table. Shares are percent. */
export interface Row {
  readonly ranking: string;
  readonly notes: string;
  readonly chunks: number;
  readonly questions: number;
  readonly all: number;
  readonly any: number;
  readonly nearness: number;
}

/** Each sign with the weights that switch it off. */
export const ABLATIONS: readonly (readonly [sign: string, without: Partial<RankWeights>])[] = [
  ['words that say the same', { equal: 0 }],
  ['words of the kind', { kind: 0 }],
  ['words used for it', { synonym: 0 }],
  ['words written alike', { alike: 0, misspelt: 0 }],
  ['the best line', { line: 0 }],
  ['lines beside', { lineContext: 0 }],
  ['who speaks in the line', { otherSpeaker: 1 }],
  ['who speaks in the chunk', { name: 0 }],
  ['days asked about', { date: 0 }],
  ['the day in words', { dateWords: 0 }],
  ['the shape of the answer', { answerShape: 0 }],
  ['fresh lines', { diversity: 0 }],
];

export function scoreRanking(
  ranking: string,
  people: readonly Person[],
  characters: number,
  weights: RankWeights,
): Row[] {
  return rowsOf(ranking, people, characters, (notebook) => {
    const ranker = new Ranker({ weights });
    return (query) => ranker.rank(query, notebook.now, notebook.chunks, notebook.stats);
  });
}

export function scoreControl(
  ranking: string,
  people: readonly Person[],
  characters: number,
  stemmed: boolean,
): Row[] {
  return rowsOf(ranking, people, characters, (notebook) => plainBm25(notebook.chunks, stemmed));
}

/** What stays unfound in the merged notes, one a line. */
export function missedIn(people: readonly Person[], characters: number): string {
  const notebook = notebookOf(people, characters);
  const ranker = new Ranker({ weights: RANK_WEIGHTS });
  const found = ask(
    notebook,
    people.flatMap((one) => one.questions),
    (query) => ranker.rank(query, notebook.now, notebook.chunks, notebook.stats),
  );
  return found
    .filter(({ first }) => first > 5)
    .map(({ question, first }) => `${first}. ${question.question} → ${question.evidence[0]?.line ?? ''}\n`)
    .join('');
}

type Order = Parameters<typeof ask>[2];

function rowsOf(
  ranking: string,
  people: readonly Person[],
  characters: number,
  orderIn: (notebook: Notebook) => Order,
): Row[] {
  const alone = people.map((person) => {
    const notebook = notebookOf([person], characters);
    return { name: person.name, notebook, found: ask(notebook, person.questions, orderIn(notebook)) };
  });
  const together = notebookOf(people, characters);
  const merged = ask(
    together,
    people.flatMap((one) => one.questions),
    orderIn(together),
  );
  const chunks = alone.reduce((sum, { notebook }) => sum + notebook.chunks.length, 0);
  return [
    ...alone.map(({ name, notebook, found }) => rowOf(ranking, name, notebook.chunks.length, found)),
    rowOf(
      ranking,
      'all, one by one',
      chunks,
      alone.flatMap(({ found }) => found),
    ),
    rowOf(ranking, 'all merged', together.chunks.length, merged),
  ];
}

function rowOf(ranking: string, notes: string, chunks: number, found: readonly Found[]): Row {
  return { ranking, notes, chunks, questions: found.length, ...shareFound(found), nearness: nearness(found) };
}
