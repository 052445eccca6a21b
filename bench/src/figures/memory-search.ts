import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { promisify } from 'node:util';
import { type GivenText, openMemoryIndex } from '@bulkhead/memory';
import type { Figure, Row } from '../figure.ts';
import type { Searches } from '../memory/searches.child.ts';
import { noteText, seeded } from '../memory/synthetic-notes.ts';
import { summarise } from '../statistics.ts';

/** Chunks, and what a search of them may take (M5), milliseconds. */
const SIZES = [
  { chunks: 10_000, limit: 10 },
  { chunks: 100_000, limit: 10 },
];
/** Takes a quarter of an hour: only with `MEMORY_SEARCH=million`. */
const MILLION = { chunks: 1_000_000, limit: 50 };

/** The cost of searching a person's memory. */
export const memorySearch: Figure = {
  name: 'memory-search',
  async measure({ signal }) {
    const folder = await mkdtemp(join(tmpdir(), 'bulkhead-memory-bench-'));
    try {
      const rows: Row[] = [];
      for (const { chunks, limit } of env['MEMORY_SEARCH'] === 'million' ? [...SIZES, MILLION] : SIZES) {
        rows.push(rowOf(await measureSearch(folder, chunks, signal), limit));
      }
      return rows;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

function rowOf({ chunks, times, first, built, bytes, memory }: SearchCost, limit: number): Row {
  const { median, p95, max } = summarise(times);
  const cost = `built in ${built.toFixed(0)} s, ${(bytes / 1e6).toFixed(0)} MB on disk, ${memory.toFixed(0)} MB in memory`;
  return {
    what: `search of memory: ${chunks.toLocaleString('en')} chunks, ${times.length} questions never asked before`,
    product: `p50 ${median.toFixed(1)} ms, p95 ${p95.toFixed(1)}, max ${max.toFixed(1)}; the first after a start ${first.toFixed(0)} ms; ${cost}`,
    bare: 'none',
    ratio: '',
    target: { text: `p95 ≤ ${limit} ms`, limit, value: p95 },
  };
}

/** The cost of a search in an index of a given size. */
interface SearchCost extends Searches {
  /** Seconds until it was built. */
  readonly built: number;
  /** Of the database, bytes. */
  readonly bytes: number;
}

/** Texts of about 43 chunks each, as a long session has. */
const WORDS_PER_TEXT = 12_000;
const CHUNKS_PER_TEXT = 49;

/** Builds an index of about so many chunks in `folder` and asks it what a person would. */
async function measureSearch(folder: string, chunks: number, signal: AbortSignal): Promise<SearchCost> {
  const path = join(folder, `${chunks}.db`);
  const texts = Array.from({ length: Math.ceil(chunks / CHUNKS_PER_TEXT) }, (_, at) => syntheticText(at));
  const begin = performance.now();
  {
    await using index = openMemoryIndex({ path, onNotice: () => undefined });
    await index.sync(texts, { signal });
  }
  const built = (performance.now() - begin) / 1_000;
  // In a process of its own: in this one, what building left behind would hide what searching takes.
  const child = join(import.meta.dirname, '../memory/searches.child.ts');
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
