import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { readStrictYaml } from './strict-yaml.ts';
import { tooDeepAt } from './yaml-depth.ts';

const DEEP = 100_000;

describe('a text nested 100,000 times', () => {
  it.each([
    ['lists', '['.repeat(DEEP), 64],
    ['closed lists', '['.repeat(DEEP) + ']'.repeat(DEEP), 64],
    ['maps', '{a: '.repeat(DEEP / 2), 256],
    ['both', '[{a: '.repeat(DEEP / 4), 160],
    ['lists on one line', `${'- '.repeat(DEEP)}a`, 256],
    ['keys on one line', `${'? '.repeat(DEEP)}a`, 256],
    ['after a comment and a text', `# [[\n"[[[": [ '[', ${'['.repeat(DEEP)}`, 82],
  ])('of %s is refused where it gets too deep, before anything is parsed [FR12]', (_what, text, at) => {
    expect(tooDeepAt(text)).toBe(at);
    // The parser would take seconds: the first thousandth of the text is enough.
    expect(tooDeepAt(text.slice(0, 1_000))).toBe(at);
    expect(() => readStrictYaml(text, 'p.yaml', z.unknown())).toThrow('is nested deeper than anything');
  });

  it('by its columns is too deep as well [FR12]', () => {
    const text = Array.from({ length: 400 }, (_, depth) => `${' '.repeat(depth)}a:\n`).join('');
    expect(tooDeepAt(text)).toBeGreaterThan(0);
  });
});

describe('documents that people write', () => {
  it.each([
    ['brackets in quotes', `a: "${'['.repeat(500)}"\nb: '${'{'.repeat(500)}'\n`],
    ['brackets in a block of text', `a: |\n  ${'['.repeat(500)}\n  ${'- '.repeat(500)}\n`],
    ['brackets in a comment', `# ${'['.repeat(500)}\na: 1\n`],
    ['lists one after another', 'a: []\n'.repeat(500)],
    ['a text of much blank', `a: |\n${' '.repeat(400)}far to the right\n`],
    ['a comment far to the right', `a: 1${' '.repeat(400)}# why\n`],
  ])('is not too deep: %s', (_what, text) => {
    expect(tooDeepAt(text)).toBeUndefined();
  });

  it('is not too deep whatever JSON of six levels it is', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (json) => {
        expect(tooDeepAt(json)).toBeUndefined();
      }),
    );
  });
});
