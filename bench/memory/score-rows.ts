import { join } from 'node:path';
import {
  type Candidate,
  type MemoryHit,
  RANK_WEIGHTS,
  type Ranked,
  type RankWeights,
  terms,
} from '@bulkhead/memory';
import { type Notebook, notebookOf, shows } from './notebook.ts';
import type { AskedQuestion, Person } from './people.ts';

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

/** Each person's notes separately, and all in one memory. */
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

/** The questions without a hit, one a line. */
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

const K1 = 1.2;
const B = 0.75;

/** The control: BM25 over words, and nothing else. With `stemmed` its words are those of the index. */
function plainBm25(chunks: readonly Candidate[], stemmed: boolean): (query: string) => readonly Ranked[] {
  const wordsOf = stemmed ? terms : (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const documents = chunks.map(({ text }) => countsOf(wordsOf(text)));
  const average = documents.reduce((sum, one) => sum + one.length, 0) / documents.length;
  const frequencies = new Map<string, number>();
  for (const { counts } of documents)
    for (const word of counts.keys()) frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
  const rarity = (word: string) => {
    const frequency = frequencies.get(word) ?? 0;
    return Math.log(1 + (documents.length - frequency + 0.5) / (frequency + 0.5));
  };
  return (query) => {
    const asked = [...new Set(wordsOf(query))];
    const scoreOf = (at: number) => {
      const { counts, length } = documents[at] ?? { counts: new Map<string, number>(), length: 0 };
      return asked.reduce((sum, word) => {
        const count = counts.get(word) ?? 0;
        return sum + (rarity(word) * count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / average));
      }, 0);
    };
    return chunks
      .map(({ id }, at) => ({ id, score: scoreOf(at) }))
      .sort((a, b) => b.score - a.score || a.id - b.id);
  };
}

function countsOf(words: readonly string[]): { counts: ReadonlyMap<string, number>; length: number } {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return { counts, length: words.length };
}

const PLACES = 5;

/** Where the lines of an answer were found: the places, from 1, of the first and of the last of them; infinite where not. */
interface Found {
  readonly question: AskedQuestion;
  readonly first: number;
  readonly last: number;
}

/** @param hits best first */
function found(question: AskedQuestion, hits: readonly Pick<MemoryHit, 'date' | 'text'>[]): Found {
  const places = question.evidence.map((line) => {
    const at = hits.findIndex((hit) => shows(hit, line));
    return at < 0 ? Number.POSITIVE_INFINITY : at + 1;
  });
  return { question, first: Math.min(...places), last: Math.max(...places) };
}

/** Percent of the questions whose lines are in the first five chunks: every line, and one at least. */
function shareFound(all: readonly Found[]): { readonly all: number; readonly any: number } {
  const share = (which: 'first' | 'last') =>
    (100 * all.filter((one) => one[which] <= PLACES).length) / Math.max(1, all.length);
  return { all: share('last'), any: share('first') };
}

/** A smooth figure for tuning, 0 to 100: also a line that moves from place nine to place seven counts. */
function nearness(all: readonly Found[]): number {
  const worth = (place: number) => 1 / (1 + Math.log2(1 + place));
  const sum = all.reduce((total, { first, last }) => total + 2 * worth(last) + worth(first), 0);
  return (100 * sum) / (1.5 * Math.max(1, all.length));
}
