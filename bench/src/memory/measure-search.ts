import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type GivenText, openMemoryIndex } from '@bulkhead/memory';
import type { Searches } from './searches.child.ts';
import { noteText, seeded } from './synthetic-notes.ts';

/** What a search costs in an index of a size. */
export interface SearchCost extends Searches {
  /** Seconds until it was built. */
  readonly built: number;
  /** Of the database, bytes. */
  readonly bytes: number;
}

/** Texts of about 43 chunks each, as a long session has. */
const WORDS_PER_TEXT = 12_000;
const CHUNKS_PER_TEXT = 49;

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
  // In a process of its own: in this one, what building left behind would hide what searching takes.
  const child = join(import.meta.dirname, 'searches.child.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [child, path], { signal });
  return { ...(JSON.parse(stdout) as Searches), built, bytes: statSync(path).size };
}

function syntheticText(at: number): GivenText {
  return {
    source: 'session',
    path: `sessions/${at}`,
    version: '1',
    read: async () => noteText(seeded(at + 1), WORDS_PER_TEXT),
  };
}
