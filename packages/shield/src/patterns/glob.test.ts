import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { errorOf } from '../testing.ts';
import { type Glob, type GlobPart, parseGlob } from './glob.ts';
import { matchGlob } from './match-glob.ts';

const endless = () => ({ steps: Number.POSITIVE_INFINITY });

function pathMatches(pattern: string, text: string, folder = '/w'): boolean {
  const glob = parseGlob(pattern, 'path', ['workingFolder']);
  return matchGlob(glob, text, { separators: '/', variables: { workingFolder: folder } }, endless());
}

function commandMatches(pattern: string, text: string, separators = ''): boolean {
  return matchGlob(parseGlob(pattern, 'command', []), text, { separators }, endless());
}

/**
 * The same semantics as a direct search of all possibilities. Exponential, so for short texts only.
 */
function naive(parts: readonly GlobPart[], text: readonly string[], separators: string): boolean {
  const [part, ...rest] = parts;
  if (part === undefined) return text.length === 0;
  const after = (count: number): boolean => naive(rest, text.slice(count), separators);
  const upTo = (count: number): boolean => Array.from({ length: count + 1 }, (_, n) => n).some(after);
  const run = text.findIndex((character) => separators.includes(character));
  switch (part.kind) {
    case 'text':
      return text.join('').startsWith(part.text) && after(Array.from(part.text).length);
    case 'variable':
      throw new Error('not in this test');
    case 'one':
      return text.length > 0 && run !== 0 && after(1);
    case 'run':
      return upTo(run < 0 ? text.length : run);
    case 'deep':
      return upTo(text.length);
    case 'folders':
      return after(0) || text.some((character, n) => character === '/' && after(n + 1));
    case 'below':
      return after(0) || (text[0] === '/' && Array.from(text.keys()).some((n) => after(n + 1)));
  }
}

const piece = fc.constantFrom('a', 'b', '/', '?', '*', '**', '/**', '**/', '\\*', '\\a', '🌱', '.', '//');
const pattern = fc
  .array(piece, { minLength: 1, maxLength: 7 })
  .map((pieces) => pieces.join(''))
  .filter((text) => !text.includes('***'));
const text = fc
  .array(fc.constantFrom('a', 'b', '/', '*', '🌱', '.', '\n'), { maxLength: 9 })
  .map((characters) => characters.join(''));

describe('a pattern', () => {
  it('matches exactly what trying every way would match [H1]', () => {
    const check = (glob: Glob, subject: string, separators: string): void => {
      const expected = naive(glob.parts, Array.from(subject), separators);
      expect(matchGlob(glob, subject, { separators }, endless())).toBe(expected);
    };
    fc.assert(
      fc.property(pattern, text, (source, subject) => {
        check(parseGlob(source, 'path', []), subject, '/');
        check(parseGlob(source, 'command', []), subject, '');
        check(parseGlob(source, 'command', []), subject, 'b\n');
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['/a/b', '/a/b', true],
    ['/a/b', '/a/bc', false],
    ['/a/b', '/a', false],
    ['/a/*', '/a/b', true],
    ['/a/*', '/a/', true],
    ['/a/*', '/a/b/c', false],
    ['/a/?', '/a/b', true],
    ['/a/?', '/a/🌱', true],
    ['/a?b', '/a/b', false],
    ['/a/**', '/a', true],
    ['/a/**', '/a/b/c', true],
    ['/a/**', '/ab', false],
    ['/a/**/b', '/a/b', true],
    ['/a/**/b', '/a/x/y/b', true],
    ['/a/**/b', '/a/xb', false],
    ['**/.env', '.env', true],
    ['**/.env', '/x/.env', true],
    ['**/.env', '/x.env', false],
    ['/a/**b', '/a/x/yb', true],
    ['/a\\*', '/a*', true],
    ['/a\\*', '/ab', false],
    ['/\\{x}', '/{x}', true],
    ['/a]}', '/a]}', true],
    ['/A', '/a', false],
  ])('%s against the path %s: %s', (source, subject, expected) => {
    expect(pathMatches(source, subject)).toBe(expected);
  });

  it('takes the working folder literally, whatever is in its name [H1]', () => {
    expect(pathMatches('{workingFolder}/**', '/w*/a', '/w*')).toBe(true);
    expect(pathMatches('{workingFolder}/**', '/wx/a', '/w*')).toBe(false);
    expect(pathMatches('{workingFolder}/**', '/[{\\/a', '/[{\\')).toBe(true);
    expect(pathMatches('{workingFolder}/**', '/w-other/a', '/w')).toBe(false);
    expect(pathMatches('{workingFolder}/**', '/etc/passwd', '')).toBe(true);
  });

  it('has no folders in a command', () => {
    expect(commandMatches('rm *', 'rm -rf /a/b\nls')).toBe(true);
    expect(commandMatches('rm /**', 'rm ')).toBe(false);
    expect(commandMatches('**/x', 'x')).toBe(false);
    expect(commandMatches('git *', 'git log; rm x', ';')).toBe(false);
    expect(commandMatches('git **', 'git log; rm x', ';')).toBe(true);
  });

  it.each([
    ['', /is empty/],
    ['a'.repeat(1025), /longer than 1024/],
    ['/a\\', /ends in a backslash/],
    ['/*.[ch]', /bare "\["/],
    ['/{a,b}', /bare "{"/],
    ['/{home}', /uses {home}; known: {workingFolder}/],
    ['/{}', /uses {}/],
    ['/***', /more than two stars/],
  ])('is refused: %s', (source, message) => {
    const error = errorOf(() => parseGlob(source, 'path', ['workingFolder']));
    expect(error.code).toBe('config_invalid');
    expect(error.message).toMatch(message);
  });

  it('costs at most states times characters, and no more than its budget [H1] [FT23]', () => {
    const evil: readonly (readonly [string, string])[] = [
      ['*a'.repeat(512), 'a'.repeat(100_000)],
      [`${'**a'.repeat(341)}b`, 'a'.repeat(100_000)],
      ['**/'.repeat(341), 'a/'.repeat(50_000)],
      [`${'*?'.repeat(500)}yy`, 'y'.repeat(100_000)],
      ['**x**', 'y'.repeat(10_000_000)],
    ];
    for (const [source, subject] of evil) {
      for (const kind of ['path', 'command'] as const) {
        const budget = { steps: 100_000 };
        const glob = parseGlob(source, kind, []);
        expect(errorOf(() => matchGlob(glob, subject, { separators: '' }, budget)).code).toBe('timeout');
      }
    }
    const budget = { steps: 1_000_000 };
    const glob = parseGlob(`${'*a'.repeat(50)}b`, 'command', []);
    expect(matchGlob(glob, 'a'.repeat(5000), { separators: '' }, budget)).toBe(false);
    expect(1_000_000 - budget.steps).toBeLessThanOrEqual(5000 * (102 + 3));
  });
});
