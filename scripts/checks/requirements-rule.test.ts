import { describe, expect, it } from 'vitest';
import { parseManifest } from './requirements.ts';
import { type RequirementManifest, requirementProblems, taggedIds } from './requirements-rule.ts';

function manifest(change: Partial<RequirementManifest> = {}): RequirementManifest {
  return {
    gapBudget: { missing: 1, partial: 1, faults: 1, faultsPartial: 0 },
    requirements: {
      L4: { is: 'results keep call order' },
      S1: { is: 'a session is a tree', gap: 'partial: PostgreSQL' },
      M5: { is: 'search is quick', gap: 'all: memory' },
    },
    proof: {},
    faults: { count: 2, gaps: ['FT02'], partial: [] },
    ...change,
  };
}

const PROVEN = taggedIds(['keeps order [L4]', 'is a tree [S1]', 'lists paths [FT01]']);

describe('requirementProblems', () => {
  it('finds nothing when each id is proven or a known gap', () => {
    expect(requirementProblems(manifest(), PROVEN, PROVEN)).toEqual([]);
  });

  it.each([
    [
      'an id without a passed test',
      ['is a tree [S1]', 'lists paths [FT01]'],
      'L4 has no passed test and no gap',
    ],
    [
      'a missing id that a test names',
      ['[L4]', '[S1]', '[FT01]', 'is quick [M5]'],
      'M5 is said to be missing',
    ],
    ['a partial id without a test', ['[L4]', '[FT01]'], 'S1 is said to be there in part'],
    ['a fault without a test', ['[L4]', '[S1]'], 'FT01 has no passed test'],
    [
      'a fault listed as gap that a test names',
      ['[L4]', '[S1]', '[FT01]', '[FT02]'],
      'FT02 is listed as a gap',
    ],
  ])('reports %s', (_what, titles, problem) => {
    const proven = taggedIds(titles);
    expect(requirementProblems(manifest(), proven, proven)).toEqual([expect.stringContaining(problem)]);
  });

  it('reports a tag that is no requirement, even on a test that failed', () => {
    const mentioned = taggedIds(['keeps order [L4]', '[S1]', '[FT01]', 'does more [L44]']);
    expect(requirementProblems(manifest(), PROVEN, mentioned)).toEqual([
      'a test names [L44], which is no requirement',
    ]);
  });

  it.each([
    [{ missing: 0, partial: 1, faults: 1, faultsPartial: 0 }, '1 gaps of kind missing, more than the 0'],
    [{ missing: 2, partial: 1, faults: 1, faultsPartial: 0 }, 'only 1 gaps of kind missing are left'],
    [{ missing: 1, partial: 0, faults: 1, faultsPartial: 0 }, '1 gaps of kind partial, more than the 0'],
    [{ missing: 1, partial: 1, faults: 3, faultsPartial: 0 }, 'only 1 gaps of kind faults are left'],
  ])('holds the number of gaps to the budget %o', (gapBudget, problem) => {
    expect(requirementProblems(manifest({ gapBudget }), PROVEN, PROVEN)).toEqual([
      expect.stringContaining(problem),
    ]);
  });

  it('wants a gap to say what is to come', () => {
    const requirements = { ...manifest().requirements, M5: { is: 'search is quick', gap: 'later' } };
    const problems = requirementProblems(manifest({ requirements }), PROVEN, PROVEN);
    expect(problems).toContainEqual(expect.stringContaining('M5: a gap begins with'));
  });

  it('wants few words', () => {
    const requirements = { ...manifest().requirements, L4: { is: 'word '.repeat(13) } };
    expect(requirementProblems(manifest({ requirements }), PROVEN, PROVEN)).toEqual([
      'L4: say it in at most 12 words',
    ]);
  });

  it('refuses a fault gap that is no row', () => {
    const faults = { count: 2, gaps: ['FT02', 'FT99'], partial: [] };
    const gapBudget = { missing: 1, partial: 1, faults: 2, faultsPartial: 0 };
    expect(requirementProblems(manifest({ faults, gapBudget }), PROVEN, PROVEN)).toEqual([
      'FT99 is no row of the fault catalogue',
    ]);
  });
});

it.each([
  ['proven in part', ['FT02'], ['FT01'], []],
  ['in part without a test', [], ['FT02'], ['FT02 has no passed test and is not listed as a gap']],
  ['listed twice', ['FT02'], ['FT02'], ['FT02 is listed twice']],
])('judges a fault that is %s', (_what, gaps, partial, problems) => {
  const gapBudget = { missing: 1, partial: 1, faults: gaps.length, faultsPartial: partial.length };
  const judged = manifest({ faults: { count: 2, gaps, partial }, gapBudget });
  expect(requirementProblems(judged, PROVEN, PROVEN)).toEqual(problems);
});

describe('taggedIds', () => {
  it('reads one id, several in one bracket, and several brackets', () => {
    expect([...taggedIds(['a [L4] b', '[P3, P5] c', '[SK1][FT100]']).keys()]).toEqual([
      'L4',
      'P3',
      'P5',
      'SK1',
      'FT100',
    ]);
  });

  it('leaves other brackets alone', () => {
    expect([...taggedIds(['a [b] [1] [ok, L4] [] L4 [l4]']).keys()]).toEqual([]);
  });
});

describe('parseManifest', () => {
  it.each([
    ['an unknown key', { ...manifest(), more: 1 }],
    ['a misspelt gap', { ...manifest(), requirements: { L4: { is: 'keeps order', gaps: 'all: x' } } }],
    ['an id of another form', { ...manifest(), requirements: { l4: { is: 'keeps order' } } }],
    ['no budget', { ...manifest(), gapBudget: {} }],
  ])('refuses %s', (_what, value) => {
    expect(() => parseManifest(value)).toThrow();
  });
});
