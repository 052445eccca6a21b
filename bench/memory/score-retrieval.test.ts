import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readPeople } from './people.ts';
import { type Notebooks, notebooksOf, type Row, scoreControl, scoreRanking } from './score-rows.ts';
import { withSmallTalk } from './small-talk.ts';

const folder = mkdtempSync(join(tmpdir(), 'bulkhead-retrieval-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function figures(
  notebooks: Notebooks,
): Promise<{ readonly ours: readonly Row[]; readonly bm25: readonly Row[] }> {
  const all = (rows: readonly Row[]) => rows.filter(({ notes }) => notes.startsWith('all'));
  return {
    ours: all(await scoreRanking('', notebooks)),
    bm25: all(await scoreControl('', notebooks, true)),
  };
}

it.each([
  ['as written', readPeople(), { alone: [80, 88], merged: [74, 83], gain: 8 }],
  ['with small talk', readPeople().map(withSmallTalk), { alone: [69, 78], merged: [65, 74], gain: 10 }],
] as const)(
  'finds the lines that answer, more of them than BM25 does, in notes %s [M3]',
  { timeout: 120_000 },
  async (name, people, floor) => {
    const { ours, bm25 } = await figures(await notebooksOf(people, join(folder, name)));
    const [alone, merged] = ours;
    expect(alone?.all).toBeGreaterThan(floor.alone[0]);
    expect(alone?.any).toBeGreaterThan(floor.alone[1]);
    expect(merged?.all).toBeGreaterThan(floor.merged[0]);
    expect(merged?.any).toBeGreaterThan(floor.merged[1]);
    for (const at of [0, 1])
      expect((ours[at]?.all ?? 0) - (bm25[at]?.all ?? 100)).toBeGreaterThan(floor.gain);
  },
);
