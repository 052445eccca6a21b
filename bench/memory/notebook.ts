import { type Candidate, type CorpusStats, terms } from '@bulkhead/memory';
import type { Evidence, Person } from './people.ts';

/** 400 tokens of which 80 overlap, at four characters a token: the chunk of requirement M2. */
export const CHUNK_CHARACTERS = 1_600;
const OVERLAP = 0.2;

/** The notes of one person or of several as the index would hold them. */
export interface Notebook {
  readonly chunks: readonly Candidate[];
  readonly stats: CorpusStats;
  /** The day after the last note. */
  readonly now: Date;
  /** Whether a chunk, by its place in {@link Notebook.chunks}, shows a line. */
  shows(chunk: number, evidence: Evidence): boolean;
}

/** Lays the notes of these people into one file per day, and cuts the files into chunks. */
export function notebookOf(people: readonly Person[], chunkCharacters = CHUNK_CHARACTERS): Notebook {
  const days = new Map<string, string[]>();
  for (const { notes } of people)
    for (const { date, lines } of notes) days.set(date, [...(days.get(date) ?? []), ...lines]);
  const chunks: Candidate[] = [];
  for (const [date, lines] of [...days].sort(([a], [b]) => a.localeCompare(b))) {
    const path = `memory/${date.slice(0, 7).replace('-', '')}/${date.replaceAll('-', '')}.md`;
    for (const [ordinal, text] of cut(lines, chunkCharacters).entries())
      chunks.push({ id: chunks.length, path, ordinal, heading: '', date, text });
  }
  const shown = chunks.map(({ text }) => new Set(text.split('\n')));
  const last = chunks.at(-1)?.date ?? '';
  return {
    chunks,
    stats: statsOf(chunks),
    now: new Date(Date.parse(`${last}T12:00:00Z`) + 86_400_000),
    shows: (chunk, { date, line }) => chunks[chunk]?.date === date && shown[chunk]?.has(line) === true,
  };
}

/** Cuts at line boundaries; the last lines of a chunk, up to a fifth of it, begin the next. */
function cut(lines: readonly string[], most: number): string[] {
  const chunks: string[] = [];
  let from = 0;
  while (from < lines.length) {
    const to = fill(lines, from, 1, most);
    chunks.push(lines.slice(from, to).join('\n'));
    if (to === lines.length) break;
    const back = fill(lines, to - 1, -1, most * OVERLAP) + 1;
    from = back > from && back < to ? back : to;
  }
  return chunks;
}

/** Where a run of lines of at most so many characters ends; going forward it has one line at least. */
function fill(lines: readonly string[], from: number, step: 1 | -1, most: number): number {
  let at = from;
  let length = 0;
  for (; at >= 0 && at < lines.length; at += step) {
    length += (lines[at]?.length ?? 0) + 1;
    if (length > most && (step === -1 || at > from)) break;
  }
  return at;
}

function statsOf(chunks: readonly Candidate[]): CorpusStats {
  const frequencies = new Map<string, number>();
  let total = 0;
  for (const { text } of chunks) {
    const all = terms(text);
    total += all.length;
    for (const one of new Set(all)) frequencies.set(one, (frequencies.get(one) ?? 0) + 1);
  }
  return {
    chunks: chunks.length,
    averageTerms: total / Math.max(1, chunks.length),
    documentFrequency: (one) => frequencies.get(one) ?? 0,
  };
}
