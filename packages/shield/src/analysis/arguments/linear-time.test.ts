import { processorMs } from '@bulkhead/testkit/processor-time';
import { describe, expect, it } from 'vitest';
import { doubledKey } from './argument-shape.ts';
import { DELEGATE, FETCH, findingsOf, MAIL, READ, WRITE } from './testing.ts';

/** Texts that make patterns backtrack repeatedly. */
const SEEDS = [
  'a',
  '.',
  '/',
  '../',
  'a.',
  'a@',
  '@',
  '\n',
  ' ',
  '"',
  '\\"',
  '{',
  '{a,',
  '<',
  '$(',
  '`',
  '%25',
  '&#',
  '-',
  'eyJa',
  '://',
  'a:',
  "'",
  '\u200b',
  '\ud800',
  'key=',
  'A1 ',
  '0',
  '=',
  '{"scripts":',
  'run:\n',
];

/** Many times what linear time takes, and far less than quadratic time. */
const LIMIT_MS = 3_000;

describe('time', () => {
  it('grows with a text, whatever is in it', () => {
    const slow: unknown[] = [];
    for (const seed of SEEDS) {
      const text = `${seed.repeat(Math.ceil(120_000 / seed.length))}!`;
      const timed = (name: string, run: () => unknown) => {
        const took = processorMs(() => void run(), LIMIT_MS);
        if (took > LIMIT_MS) slow.push([seed, name, took]);
      };
      timed('path', () => findingsOf(READ, { path: text }));
      timed('short path', () => findingsOf(READ, { path: text.slice(0, 4_000) }));
      timed('url', () =>
        findingsOf(FETCH, { url: `https://x.example/${text.slice(0, 8_000)}` }, { request: text }),
      );
      timed('mail', () => findingsOf(MAIL, { to: text, subject: 'x', body: text }));
      timed('task', () => findingsOf(DELEGATE, { task: text }));
      timed('package', () => findingsOf(WRITE, { path: 'package.json', content: text }));
      timed('workflow', () => findingsOf(WRITE, { path: '.github/workflows/a.yml', content: text }));
      timed('json', () => doubledKey(text));
    }
    expect(slow).toEqual([]);
  });
});
