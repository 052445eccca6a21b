import { expect, it } from 'vitest';
import { findWords, parseLimits, wordProblems } from './words-rule.ts';

const linesOf = (path: string, text: string) => findWords(path, text).map(({ line }) => line);

it.each([
  'What a command changed is judged.',
  '## What is found',
  '- What nobody asked for',
  'It runs. What it writes\nis kept.',
  '| key | What it sets |',
  '**What it keeps** is listed.',
])('finds a headless clause in %j', (text) => {
  expect(findWords('docs/a.md', text)[0]?.problem).toContain('headless');
});

it.each([
  'What does it cost?',
  'See what it costs.',
  '`What a command` changed',
  '```\nWhat a command changed.\n```',
])('accepts %j', (text) => {
  expect(findWords('docs/a.md', text)).toEqual([]);
});

it.each([
  'The agent is told.',
  'Its wishes count.',
  'It needs a yes.',
  'Not of late.',
  'As it is said.',
  'List the\nway back.',
  'It ends by itself.',
  'Then nobody answers.',
  'A list of all there is and that is there.',
  'It counts at once.',
  'It is gone for good.',
  'A link that leads out of it.',
  'They begin skills.',
  'It can foretell this.',
  'A likeness of it.',
  'For whoever asks.',
])('finds the banned phrase in %j', (text) => {
  expect(findWords('docs/a.md', text)).toHaveLength(1);
});

it('finds lines of a page over 150 columns, also in tables', () => {
  expect(linesOf('docs/a.md', `short\n| ${'a '.repeat(80)}|\n${'é'.repeat(150)}\n`)).toEqual([2]);
});

it('looks at comments and test titles of code, and at nothing else', () => {
  const code = [
    "const text = 'What is told is told.';",
    '/** What it keeps. */',
    '/**',
    ' * Keeps it.',
    ' * @returns What was told.',
    ' */',
    'const a = 1; // ends by',
    '// itself',
    "it('what comes later waits', () => {});",
    "it.each([1])('says %s to nobody', () => {});",
    'it.each([',
    '  1,',
    "])('is told of %s', () => {});",
  ].join('\n');
  expect(linesOf('packages/a/src/b.test.ts', code).toSorted((x, y) => x - y)).toEqual([
    2, 5, 5, 7, 9, 10, 13,
  ]);
});

it.each([
  [2, ['packages/a: 3, more than 2:', ...[1, 2, 3].map((line) => `  packages/a/b.ts:${line}: "told"`)]],
  [3, []],
  [4, ['only 3 are left of 4: write "packages/a 3"']],
])('holds three places to a limit of %d', (limit, problems) => {
  const found = [1, 2, 3].map((line) => ({ path: 'packages/a/b.ts', line, problem: '"told"' }));
  expect(wordProblems(found, parseLimits(`packages/a ${limit}\n`))).toEqual(problems);
});

it('holds what has no limit to none, and a page to its own', () => {
  const found = [{ path: 'docs/a.md', line: 1, problem: '"told"' }];
  expect(wordProblems(found, parseLimits('docs/b.md 1\n'))).toHaveLength(3);
});
