import { readFileSync } from 'node:fs';
import { openMemoryIndex } from '@bulkhead/memory';
import { question, seeded } from './synthetic-notes.ts';

/** The times of searches in an index. */
export interface Searches {
  readonly chunks: number;
  /** Milliseconds of each search. */
  readonly times: readonly number[];
  /** Milliseconds of the first one, which reads what is kept in memory. */
  readonly first: number;
  /** Megabytes of the process's own memory more than before the index was opened; pages of files are anybody's. */
  readonly memory: number;
}

const SEARCHES = 200;

const [, , path = ''] = process.argv;
const before = ownKilobytes();
const random = seeded(1);
await using index = openMemoryIndex({ path, onNotice: () => undefined });
const first = await ask();
const times: number[] = [];
for (let time = 0; time < SEARCHES; time += 1) times.push(await ask());
const memory = (ownKilobytes() - before) / 1_000;
const searches: Searches = { chunks: (await index.size()).chunks, times, first, memory };
process.stdout.write(JSON.stringify(searches));

async function ask(): Promise<number> {
  const query = question(random);
  const asked = performance.now();
  await index.search(query, { now: new Date('2026-11-22T12:00:00Z') });
  return performance.now() - asked;
}

function ownKilobytes(): number {
  return Number(/^RssAnon:\s+(\d+) kB$/mu.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]);
}
