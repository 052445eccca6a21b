import { RANK_WEIGHTS } from '@bulkhead/memory';
import { expect, it } from 'vitest';
import { CHUNK_CHARACTERS } from './notebook.ts';
import { readPeople } from './people.ts';
import { ABLATIONS, scoreControl, scoreRanking } from './score-rows.ts';

const PEOPLE = readPeople();
const ONE_BY_ONE = 'all, one by one';
const MERGED = 'all merged';
/** Signs that are kept for notes other than these; see docs/memory.md. */
const WORTH_NOTHING_HERE = ['words written alike', 'lines beside'];

const figures = (weights = RANK_WEIGHTS) => byNotes(scoreRanking('', PEOPLE, CHUNK_CHARACTERS, weights));

function byNotes(rows: ReturnType<typeof scoreRanking>) {
  const row = (notes: string) => rows.find((one) => one.notes === notes) ?? { all: 0, any: 0, nearness: 0 };
  return { alone: row(ONE_BY_ONE), merged: row(MERGED) };
}

it('finds the lines that answer, more of them than plain BM25 does [M3]', { timeout: 120_000 }, () => {
  const control = byNotes(scoreControl('', PEOPLE, CHUNK_CHARACTERS, true));
  const ours = figures();
  expect(ours.alone.all).toBeGreaterThan(79);
  expect(ours.alone.any).toBeGreaterThan(87.5);
  expect(ours.merged.all).toBeGreaterThan(74);
  expect(ours.merged.any).toBeGreaterThan(83);
  expect(ours.alone.all - control.alone.all).toBeGreaterThan(7);
  expect(ours.merged.all - control.merged.all).toBeGreaterThan(8);
});

it('needs each of its signs [M3]', { timeout: 240_000 }, () => {
  const whole = figures();
  const idle = ABLATIONS.filter(([sign]) => !WORTH_NOTHING_HERE.includes(sign)).filter(([, without]) => {
    const rest = figures({ ...RANK_WEIGHTS, ...without });
    return rest.alone.nearness + rest.merged.nearness >= whole.alone.nearness + whole.merged.nearness;
  });
  expect(idle.map(([sign]) => sign)).toEqual([]);
});
