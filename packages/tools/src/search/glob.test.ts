import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileGlob } from './glob.ts';

describe('globs', () => {
  it.each([
    ['*.ts', 'a.ts', true],
    ['*.ts', 'x/y/a.ts', true],
    ['*.ts', 'a.tsx', false],
    ['*', '.hidden', true],
    ['a*c', 'abc', true],
    ['a*c', 'a/c', false],
    ['src/*.ts', 'src/a.ts', true],
    ['src/*.ts', 'src/x/a.ts', false],
    ['src/*.ts', 'x/src/a.ts', false],
    ['./src/*', 'src/a', true],
    ['**/a', 'a', true],
    ['**/a', 'x/y/a', true],
    ['**/a', 'xa', false],
    ['src/**/a', 'src/a', true],
    ['src/**/a', 'src/x/y/a', true],
    ['src/**', 'src/x/y', true],
    ['src/**', 'srcx/y', false],
    ['x/**y', 'x/ay', true],
    ['x/**y', 'x/a/y', false],
    ['a?c', 'abc', true],
    ['a?c', 'a/c', false],
    ['[a-c]1', 'b1', true],
    ['[!a-c]1', 'b1', false],
    ['[!a-c]1', 'd1', true],
    ['[]]', ']', true],
    ['*.{ts,js}', 'a.js', true],
    ['{a,b/c}', 'b/c', true],
    ['{a,{b,c}d}', 'cd', true],
    ['{a,}b', 'b', true],
    ['\\*', '*', true],
    ['\\*', 'a', false],
    ['ä?', 'ä😀', true],
  ])('%s on %s: %s', (pattern, path, expected) => {
    expect(compileGlob(pattern)(path)).toBe(expected);
  });

  it.each([['a['], ['{a'], ['{a,b}'.repeat(7)], ['{'.repeat(200)]])('%s is refused', (pattern) => {
    expect(() => compileGlob(pattern)).toThrow('the glob is not valid');
  });

  it('match every name that is written out, and never throw anything but a refusal', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'b', '.', '-'), minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), (names) => {
        fc.pre(names[0] !== '.');
        const path = names.join('/');
        expect(compileGlob(path)(path)).toBe(true);
        expect(compileGlob('**')(path)).toBe(true);
        expect(compileGlob(names.map(() => '*').join('/'))(path)).toBe(true);
      }),
    );
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('*', '?', '[', ']', '{', '}', ',', '/', '\\', 'a', '!', '-') }),
        (pattern) => {
          try {
            compileGlob(pattern)('a/b/aa');
          } catch (error) {
            expect(String(error)).toContain('the glob is not valid');
          }
        },
      ),
    );
  });

  it('stay fast for patterns made to be slow', () => {
    const matches = compileGlob(`${'*a'.repeat(120)}b`);
    const start = process.cpuUsage();
    expect(matches('a'.repeat(4_000))).toBe(false);
    expect(process.cpuUsage(start).user / 1_000).toBeLessThan(1_000);
  });
});
