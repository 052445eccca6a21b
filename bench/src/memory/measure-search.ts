import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type GivenText, openMemoryIndex } from '@bulkhead/memory';
import { noteText, question, seeded } from './synthetic-notes.ts';

/** What a search costs in an index of a size. */
export interface SearchCost {
  readonly chunks: number;
  /** Milliseconds of each search. */
  readonly times: readonly number[];
  /** Milliseconds of the first one, which reads what is kept in memory. */
  readonly first: number;
  /** Seconds until it was built. */
  readonly built: number;
  /** Of the database, bytes. */
  readonly bytes: number;
  /** Megabytes of the process more than before. */
  readonly memory: number;
}

/** Texts of about 43 chunks each, as a long session has. */
const WORDS_PER_TEXT = 12_000;
const CHUNKS_PER_TEXT = 49;
const SEARCHES = 200;

/** Builds an index of about so many chunks in `folder` and asks it what a person would. */
export async function measureSearch(
  folder: string,
  chunks: number,
  signal: AbortSignal,
): Promise<SearchCost> {
  const path = join(folder, `${chunks}.db`);
  const texts = Array.from({ length: Math.ceil(chunks / CHUNKS_PER_TEXT) }, (_, at) => syntheticText(at));
  const begin = performance.now();
  {
    await using index = openMemoryIndex({ path, onNotice: () => undefined });
    await index.sync(texts, { signal });
  }
  const built = (performance.now() - begin) / 1_000;
  const before = process.memoryUsage().rss;
  await using index = openMemoryIndex({ path, onNotice: () => undefined });
  const random = seeded(1);
  const ask = async () => {
    const query = question(random);
    const asked = performance.now();
    await index.search(query, { now: new Date('2026-11-22T12:00:00Z'), signal });
    return performance.now() - asked;
  };
  const first = await ask();
  const times: number[] = [];
  for (let time = 0; time < SEARCHES; time += 1) times.push(await ask());
  const memory = (process.memoryUsage().rss - before) / 1_000_000;
  return { chunks: (await index.size()).chunks, times, first, built, bytes: statSync(path).size, memory };
}

function syntheticText(at: number): GivenText {
  return {
    source: 'session',
    path: `sessions/${at}`,
    version: '1',
    read: async () => noteText(seeded(at + 1), WORDS_PER_TEXT),
  };
}
