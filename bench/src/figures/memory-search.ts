import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import type { Figure, Row } from '../figure.ts';
import { measureSearch, type SearchCost } from '../memory/measure-search.ts';
import { summarise } from '../statistics.ts';

/** Chunks, and what a search of them may take (M5), milliseconds. */
const SIZES = [
  { chunks: 10_000, limit: 10 },
  { chunks: 100_000, limit: 10 },
];
/** Takes a quarter of an hour: only with `MEMORY_SEARCH=million`. */
const MILLION = { chunks: 1_000_000, limit: 50 };

/** What searching a person's memory costs. */
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
