import { expect, it } from 'vitest';
import { proofProblems } from './proof-rule.ts';
import type { RequirementManifest } from './requirements-rule.ts';

function manifest(proof: RequirementManifest['proof']): RequirementManifest {
  return {
    gapBudget: { missing: 1, partial: 0, faults: 1, faultsPartial: 0 },
    requirements: {
      L4: { is: 'results keep call order' },
      M5: { is: 'search is quick', gap: 'all: memory' },
    },
    proof,
    faults: { count: 2, gaps: ['FT02'], partial: [] },
  };
}

const CASES = [
  { file: 'a.test.ts', title: 'a loop keeps order of 2 [L4]', status: 'passed' },
  { file: 'a.test.ts', title: 'a loop keeps order of 3 [L4]', status: 'passed' },
  { file: 'b.test.ts', title: 'lists paths [FT01]', status: 'passed' },
  { file: 'b.test.ts', title: 'keeps order [L4]', status: 'skipped' },
];
const GOOD = { L4: ['a.test.ts > a loop keeps order of …'], FT01: ['b.test.ts > lists'] };

it('accepts ids whose cases passed, and a gap without a proof', () => {
  expect(proofProblems(manifest(GOOD), CASES)).toEqual([]);
});

it.each<[string, RequirementManifest['proof'], string]>([
  ['has no pointer', { FT01: GOOD.FT01 }, 'L4 has no proof'],
  ['points to no case', { ...GOOD, L4: ['a.test.ts > keeps'] }, 'L4: there is no case a.test.ts > keeps'],
  [
    'points to another file',
    { ...GOOD, L4: ['c.test.ts > a loop'] },
    'L4: there is no case c.test.ts > a loop',
  ],
  ['points to a file alone', { ...GOOD, L4: ['a.test.ts'] }, 'L4: there is no case a.test.ts'],
  [
    'points to a skipped case',
    { ...GOOD, L4: ['b.test.ts > keeps'] },
    'L4: the proof was skipped: b.test.ts > keeps order [L4]',
  ],
  [
    'is not named',
    { ...GOOD, FT01: ['a.test.ts > a loop keeps order of 3'] },
    'FT01 is not named by a.test.ts > a loop keeps order of 3',
  ],
  ['is a gap', { ...GOOD, FT02: ['b.test.ts > lists'] }, 'FT02 has a proof, and is no requirement or a gap'],
])('reports an id that %s', (_what, proof, problem) => {
  expect(proofProblems(manifest(proof), CASES)).toContain(problem);
});

it('reports each of several cases that failed', () => {
  const cases = CASES.map((one) => (one.title.includes('of 3') ? { ...one, status: 'failed' } : one));
  expect(proofProblems(manifest(GOOD), cases)).toEqual([
    'L4: the proof was failed: a.test.ts > a loop keeps order of 3 [L4]',
  ]);
});

it('reports one case that is the only proof of more than three ids', () => {
  const ids = ['A1', 'A2', 'A3', 'A4'];
  const one = { file: 'a.test.ts', title: 'does all [A1, A2, A3, A4]', status: 'passed' };
  const all: RequirementManifest = {
    gapBudget: { missing: 0, partial: 0, faults: 0, faultsPartial: 0 },
    requirements: Object.fromEntries(ids.map((id) => [id, { is: 'does all' }])),
    proof: Object.fromEntries(ids.map((id) => [id, ['a.test.ts > does all']])),
    faults: { count: 0, gaps: [], partial: [] },
  };
  expect(proofProblems(all, [one])).toEqual([
    'A1, A2, A3, A4 have one proof, more than 3 ids: a.test.ts > does all',
  ]);
});
