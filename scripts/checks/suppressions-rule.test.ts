import { expect, it } from 'vitest';
import { findSuppressions, suppressionProblems } from './suppressions-rule.ts';

it.each([
  [
    '// biome-ignore lint/suspicious/noControlCharactersInRegex: the characters are what is searched',
    'biome-ignore',
    true,
  ],
  ['// biome-ignore lint/suspicious/noExplicitAny:', 'biome-ignore', false],
  ['// biome-ignore-all lint: the file is generated', 'biome-ignore', true],
  ['// @ts-expect-error the type of the library is wrong', '@ts-expect-error', true],
  ['// @ts-expect-error', '@ts-expect-error', false],
  ['/* @ts-ignore */', '@ts-ignore', false],
  ['const a: any = b;', 'any', false],
  ['const a: any = b; // the library gives nothing better', 'any', true],
  ['f(a as any)', 'any', false],
  ['const list: Array<any> = [];', 'any', false],
  ['function f(a: any, b: any) {}', 'any', false],
])('finds %s', (line, kind, hasReason) => {
  expect(findSuppressions('a.ts', `const x = 1;\n${line}\n`)).toEqual([{ place: 'a.ts:2', kind, hasReason }]);
});

it.each([
  "const text = ': any';",
  '// as any other would',
  'const anyone: Any = b;',
  'many.any()',
  'Promise.any(list)',
  'const a = /of( all| any)?( b|$)/;',
  "const a = 'biome-ignore x';",
])('leaves %s alone', (line) => {
  expect(findSuppressions('a.ts', line)).toEqual([]);
});

const REASONED = { place: 'a.ts:1', kind: 'any', hasReason: true };

it.each([
  [[REASONED], 1, []],
  [[REASONED], 0, ['1 suppressions, more than 0:', '  a.ts:1: any']],
  [[], 1, ['only 0 suppressions are left: lower the limit from 1']],
  [[{ ...REASONED, hasReason: false }], 1, ['a.ts:1: any without a reason']],
  [[], Number.NaN, ['the limit is not a number']],
])('holds %o to a limit of %d', (found, limit, problems) => {
  expect(suppressionProblems(found, limit)).toEqual(problems);
});
