import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  type Candidate,
  chunkText,
  type FileText,
  type MemoryHit,
  openMemoryIndex,
  type RankWeights,
} from '@bulkhead/memory';
import type { AskedQuestion, Evidence, Person } from './people.ts';

/** Places looked at beyond the five that count, so that a line that moves from place nine to place seven is seen. */
const PLACES = 24;

/** The notes of one person or of several as files with an index of them, and what is asked about them. */
export interface Notebook {
  readonly name: string;
  readonly questions: readonly AskedQuestion[];
  readonly chunks: readonly Candidate[];
  /** Answers all questions, as a session's search does. */
  ask(weights: RankWeights): Promise<readonly (readonly MemoryHit[])[]>;
}

/** Lays the notes of these people into one file per day below `folder`, and has them indexed. */
export async function notebookOf(name: string, people: readonly Person[], folder: string): Promise<Notebook> {
  const texts: FileText[] = [];
  const chunks: Candidate[] = [];
  const days = byDay(people);
  for (const [date, lines] of days) {
    const path = `memory/${date.slice(0, 7).replace('-', '')}/${date.replaceAll('-', '')}.md`;
    const text = `${lines.join('\n')}\n`;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
    texts.push({ source: 'daily', path, folder });
    for (const chunk of chunkText(text, path)) chunks.push({ ...chunk, id: chunks.length, path });
  }
  const questions = people.flatMap((one) => one.questions);
  const now = new Date(Date.parse(`${days.at(-1)?.[0] ?? ''}T12:00:00Z`) + 86_400_000);
  const open = (weights: RankWeights) =>
    openMemoryIndex({ path: join(folder, 'index.db'), onNotice: () => undefined, weights });
  return {
    name,
    questions,
    chunks,
    async ask(weights) {
      await using index = open(weights);
      await index.sync(texts);
      const answers: (readonly MemoryHit[])[] = [];
      for (const { question } of questions)
        answers.push(await index.search(question, { now, limit: PLACES }));
      return answers;
    },
  };
}

/** Whether a chunk shows a line that answers. */
export function shows(chunk: Pick<MemoryHit, 'date' | 'text'>, { date, line }: Evidence): boolean {
  return chunk.date === date && chunk.text.split('\n').includes(line);
}

function byDay(people: readonly Person[]): readonly (readonly [date: string, lines: readonly string[]])[] {
  const days = new Map<string, string[]>();
  for (const { notes } of people)
    for (const { date, lines } of notes) days.set(date, [...(days.get(date) ?? []), ...lines]);
  return [...days].sort(([a], [b]) => a.localeCompare(b));
}
