import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchArgv, parseArgvPattern } from './argv-pattern.ts';

const matches = (pattern: string, ...words: readonly (string | undefined)[]): boolean =>
  matchArgv(parseArgvPattern(pattern), words, { steps: 1_000_000 });

describe('a pattern for a simple command', () => {
  it.each<[string, (string | undefined)[], boolean]>([
    ['git push', ['git', 'push'], true],
    ['git push', ['git', 'push', 'origin'], false],
    ['git push', ['git'], false],
    ['git push **', ['git', 'push'], true],
    ['git push **', ['git', 'push', 'origin', 'main'], true],
    ['** --force', ['git', 'push', '--force'], true],
    ['** --force **', ['git', 'push', '--force', 'x'], true],
    ['** --force **', ['git', 'push', 'x'], false],
    ['git *', ['git', 'a b;c\nd'], true],
    ['git *', ['git', ''], true],
    ['npm run test:?', ['npm', 'run', 'test:1'], true],
    ['rm **', [undefined, 'x'], true],
    ['rm -r x', [undefined], true],
    ['git push', ['git', undefined], true],
    ['git push', ['ls', undefined], false],
    ['**', [], true],
  ])('%j over %j: %s [H1]', (pattern, words, expected) => {
    expect(matches(pattern, ...words)).toBe(expected);
  });

  it('agrees with a search that tries everything [H1]', () => {
    const word = fc.constantFrom('a', 'b');
    const part = fc.constantFrom('a', 'b', '*', '**');
    const slow = (pattern: readonly string[], words: readonly string[]): boolean => {
      const [head, ...rest] = pattern;
      if (head === undefined) return words.length === 0;
      if (head === '**') return slow(rest, words) || (words.length > 0 && slow(pattern, words.slice(1)));
      return words.length > 0 && (head === '*' || head === words[0]) && slow(rest, words.slice(1));
    };
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 6 }),
        fc.array(word, { maxLength: 7 }),
        (pattern, words) => {
          expect(matches(pattern.join(' '), ...words)).toBe(slow(pattern, words));
        },
      ),
    );
  });

  it.each(['**', '** **', 'a **'])('%j ends when the budget is spent [FT23]', (pattern) => {
    const words = Array.from({ length: 1_000 }, () => 'a');
    expect(matchArgv(parseArgvPattern(pattern), words, { steps: 100_000 })).toBe(true);
    expect(() => matchArgv(parseArgvPattern(pattern), words, { steps: 1_000 })).toThrow('too many steps');
  });
});
