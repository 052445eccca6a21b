import { describe, expect, it } from 'vitest';
import { countDependencies, dependencyProblems, parseDependencyExceptions } from './dependencies-rule.ts';

const NINE = 'a: 1; b: 1; c: 1; d: 1; e: 1; f: 1; g: 1; h: 1; i: 1';

function problemsOf(files: Readonly<Record<string, string>>, exceptions = ''): readonly string[] {
  return dependencyProblems(
    countDependencies(new Map(Object.entries(files))),
    parseDependencyExceptions(exceptions),
  );
}

describe('the number of dependencies', () => {
  it.each([
    ['a literal', { 'x.ts': `class Thing { constructor(parts: { ${NINE} }) {} }` }],
    ['an interface', { 'x.ts': `interface P { ${NINE} }\nexport function openIt({ a }: P) {}` }],
    ['an alias', { 'x.ts': `type P = { ${NINE} };\nexport function wireIt(parts: P) {}` }],
    [
      'an interface and its parent',
      {
        'x.ts': `interface Q { ${NINE} }\ninterface P extends Q {}\nclass Thing { constructor(parts: P) {} }`,
      },
    ],
    [
      'a part of a larger type',
      {
        'x.ts': `class Thing { constructor(parts: Pick<All, ${'abcdefghi'.replaceAll(/./g, "'$&' | ").slice(0, -3)}>) {} }`,
      },
    ],
    [
      'an intersection',
      {
        'x.ts':
          'export function createIt(config: { a: 1; b: 1; c: 1; d: 1 } & { e: 1; f: 1; g: 1; h: 1; i: 1 }) {}',
      },
    ],
    [
      'a type of another file',
      {
        'packages/a/src/x.ts': "import type { P } from './y.ts';\nclass Thing { constructor(parts: P) {} }",
        'packages/a/src/y.ts': `export interface P { ${NINE} }`,
      },
    ],
    [
      'a type of another package',
      {
        'packages/a/src/x.ts':
          "import type { ItsParts } from '@bulkhead/b/y';\nclass Thing { constructor(given: ItsParts) {} }",
        'packages/b/src/y.ts': `export interface ItsParts { ${NINE} }`,
      },
    ],
    ['single parameters', { 'x.ts': `class Thing { constructor(${NINE.replaceAll(';', ',')}) {} }` }],
  ])('is refused above 8 in %s', (_what, files) => {
    expect(problemsOf(files)).toEqual([expect.stringContaining('has 9 dependencies; at most 8')]);
  });

  it('passes with 8, and counts a service as one', () => {
    const eight = NINE.slice(0, NINE.lastIndexOf(';'));
    expect(problemsOf({ 'x.ts': `class Thing { constructor(parts: { ${eight} }) {} }` })).toEqual([]);
    expect(
      problemsOf({ 'x.ts': `interface Store { ${NINE} }\nclass Thing { constructor(store: Store) {} }` }),
    ).toEqual([]);
    expect(problemsOf({ 'x.ts': `export function readIt(parts: { ${NINE} }) {}` })).toEqual([]);
  });

  it('is excused up to a number that only falls', () => {
    const files = { 'x.ts': `class Thing { constructor(parts: { ${NINE} }) {} }` };
    expect(problemsOf(files, '2026-11-24 x.ts Thing 9 an old bag of parts')).toEqual([]);
    expect(problemsOf(files, '2026-11-24 x.ts Thing 10 an old bag of parts')).toEqual([
      'x.ts Thing has 9 now: lower or remove its exception',
    ]);
    expect(problemsOf({}, '2026-11-24 x.ts Thing 9 an old bag of parts')).toHaveLength(1);
    expect(problemsOf({}, 'x.ts Thing')).toHaveLength(1);
  });
});
