import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameFromShown, shownName } from './shown-name.ts';

const anyName = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  fc.string({ unit: 'binary', minLength: 1 }).map((text) => Buffer.from(text)),
  fc
    .array(fc.constantFrom('\\', 'x', '0', 'a', '\x1b', '\u202e', 'é', '\\x0a', '\\x5c'), { minLength: 1 })
    .map((parts) => Buffer.from(parts.join(''))),
);

describe('names shown to models and people [FT15]', () => {
  it('come back as the same bytes, for every name there can be', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        expect(nameFromShown(shownName(name))).toEqual(name);
      }),
      { numRuns: 2_000 },
    );
  });

  it('hold nothing that a terminal acts on or hides', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        expect(shownName(name)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\uFFFD]/u);
      }),
    );
  });

  it.each([
    ['plain.txt', 'plain.txt'],
    ['über 日本.md', 'über 日本.md'],
    ['two\nlines', 'two\\x0alines'],
    ['\x1b[31mred', '\\x1b[31mred'],
    ['a\u202eb', 'a\\xe2\\x80\\xaeb'],
    ['back\\slash', 'back\\slash'],
    ['looks\\x41', 'looks\\x5cx41'],
  ])('shows %j as %s', (name, shown) => {
    expect(shownName(Buffer.from(name))).toBe(shown);
  });

  it('does not let an escape spell a name that needs none', () => {
    expect(nameFromShown('\\x2egit').toString()).toBe('\\x2egit');
    expect(nameFromShown('\\x2e\\x2e').toString()).toBe('\\x2e\\x2e');
    expect(nameFromShown('a\\x2fb').toString()).toBe('a\\x2fb');
    expect(nameFromShown('\\XFF').toString()).toBe('\\XFF');
  });
});
