import { join } from 'node:path';
import { RANK_WEIGHTS, type RankWeights } from '@bulkhead/memory';
import { type Notebook, notebookOf } from './notebook.ts';
import type { Person } from './people.ts';
import { plainBm25 } from './plain-bm25.ts';
import { type Found, found, nearness, shareFound } from './share-found.ts';

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
  ['less for words used all the time', { plain: 1 }],
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
  ['vectors', { similarity: 0 }],
];

/** Each person's notes by themselves, and all in one memory. */
export interface Notebooks {
  readonly alone: readonly Notebook[];
  readonly merged: Notebook;
}

/** @param folder - An empty one of the caller's, who removes it. */
export async function notebooksOf(people: readonly Person[], folder: string): Promise<Notebooks> {
  const alone: Notebook[] = [];
  for (const person of people) alone.push(await notebookOf(person.name, [person], join(folder, person.name)));
  return { alone, merged: await notebookOf('all merged', people, join(folder, 'merged')) };
}

export async function scoreRanking(
  ranking: string,
  notebooks: Notebooks,
  weights: RankWeights = RANK_WEIGHTS,
): Promise<readonly Row[]> {
  return await rowsOf(ranking, notebooks, (notebook) => notebook.ask(weights));
}

export async function scoreControl(
  ranking: string,
  notebooks: Notebooks,
  stemmed: boolean,
): Promise<readonly Row[]> {
  return await rowsOf(ranking, notebooks, async ({ chunks, questions }) => {
    const order = plainBm25(chunks, stemmed);
    return questions.map(({ question }) => order(question).flatMap(({ id }) => chunks[id] ?? []));
  });
}

/** What stays unfound, one a line. */
export async function missedIn(notebook: Notebook): Promise<string> {
  return (await foundIn(notebook, (one) => one.ask(RANK_WEIGHTS)))
    .filter(({ first }) => first > 5)
    .map(({ question, first }) => `${first}. ${question.question} → ${question.evidence[0]?.line ?? ''}\n`)
    .join('');
}

type Ask = (notebook: Notebook) => ReturnType<Notebook['ask']> | Promise<readonly (readonly Shown[])[]>;
type Shown = Parameters<typeof found>[1][number];

async function rowsOf(ranking: string, { alone, merged }: Notebooks, ask: Ask): Promise<readonly Row[]> {
  const each: { readonly notebook: Notebook; readonly all: readonly Found[] }[] = [];
  for (const notebook of alone) each.push({ notebook, all: await foundIn(notebook, ask) });
  const chunks = alone.reduce((sum, notebook) => sum + notebook.chunks.length, 0);
  return [
    ...each.map(({ notebook, all }) => rowOf(ranking, notebook.name, notebook.chunks.length, all)),
    rowOf(
      ranking,
      'all, one by one',
      chunks,
      each.flatMap(({ all }) => all),
    ),
    rowOf(ranking, 'all merged', merged.chunks.length, await foundIn(merged, ask)),
  ];
}

async function foundIn(notebook: Notebook, ask: Ask): Promise<readonly Found[]> {
  const answers = await ask(notebook);
  return notebook.questions.map((question, at) => found(question, answers[at] ?? []));
}

function rowOf(ranking: string, notes: string, chunks: number, all: readonly Found[]): Row {
  return { ranking, notes, chunks, questions: all.length, ...shareFound(all), nearness: nearness(all) };
}
