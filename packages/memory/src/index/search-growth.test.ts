import { sweepOf } from '@bulkhead/testkit/sweep';
import { describe, expect, it } from 'vitest';
import { TextFolder } from '../testing/text-folder.ts';
import { type MemoryIndex, openMemoryIndex } from './memory-index.ts';
import type { GivenText } from './memory-text.ts';

const now = new Date('2026-11-22T12:00:00Z');
const WORDS = ['harbour', 'violin', 'orchard', 'ladder', 'compass', 'kettle', 'meadow', 'lantern'];
/** Both larger than the limit for ranking every chunk. `npm run proof` searches 100,000 chunks. */
const FEW = sweepOf(2_500, 20_000);
const TIMES = 5;

/**
 * A text of one short chunk; its words repeat in a cycle, so every question matches an equal share
 * of all texts.
 */
function text(at: number): GivenText {
  const said = [0, 1, 2].map((step) => WORDS[(at * (step + 3) + step) % WORDS.length]).join(' and the ');
  return {
    source: 'knowledge',
    path: `knowledge/${at}.md`,
    version: '1',
    read: async () => `Note ${at}: the ${said}, number n${at}.\n`,
  };
}

async function filled(folder: TextFolder, count: number): Promise<MemoryIndex> {
  const index = openMemoryIndex({ path: folder.index(`${count}.db`), onNotice: folder.onNotice });
  await index.sync(Array.from({ length: count }, (_, at) => text(at)));
  return index;
}

/** Microseconds of CPU time of this process. */
async function work(index: MemoryIndex, query: string): Promise<number> {
  const began = process.cpuUsage();
  await index.search(query, { now });
  const { user, system } = process.cpuUsage(began);
  return user + system;
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

describe('the work of a search', () => {
  // Alternating, as a ratio of CPU times, so that other work on the machine does not count. A scan
  // of all texts takes 5 times.
  it('grows much less than the number of texts [M5]', { timeout: sweepOf(60_000, 900_000) }, async () => {
    using folder = new TextFolder();
    await using few = await filled(folder, FEW);
    await using many = await filled(folder, TIMES * FEW);
    const queries = Array.from(
      { length: 60 },
      (_, at) => `where was n${at * 7} with ${WORDS[at % WORDS.length]}?`,
    );
    const [nearest] = await many.search('where was n77?', { now });
    expect(nearest).toMatchObject({ path: 'knowledge/77.md' });
    const times = { few: [] as number[], many: [] as number[] };
    for (const query of ['compass', ...queries]) {
      times.few.push(await work(few, query));
      times.many.push(await work(many, query));
    }
    expect((await many.size()).chunks).toBe(TIMES * FEW);
    const figure = (median(times.many) / 1_000).toFixed(1);
    process.stdout.write(`a search of ${TIMES * FEW} chunks takes ${figure} ms of the processor\n`);
    expect(median(times.many) / median(times.few)).toBeLessThan(0.7 * TIMES);
  });
});
