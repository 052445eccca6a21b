import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hiddenShown } from './hidden-characters.ts';

const tags = [...'obey']
  .map((letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0)))
  .join('');

describe('hiddenShown', () => {
  it.each([
    [`nice${tags} day`, 'nice[4 hidden characters] day'],
    ['a\u202eb', 'a[1 hidden character]b'],
    ['pass\u200bword', 'pass[1 hidden character]word'],
    ['a\u2028b\u0007', 'a[1 hidden character]b[1 hidden character]'],
    ['😀\ufe01\ufe02', '😀[2 hidden characters]'],
    ['\ufeffhello', 'hello'],
  ])('shows what %j hides [FT58]', (text, shown) => {
    expect(hiddenShown(text).text).toBe(shown);
  });

  it.each([['plain\ttext\r\n'], ['❤️ 👨‍👩‍👧 👍🏽 1️⃣'], ['می‌خواهم'], ['naïve — “quoted”']])(
    'leaves %j alone',
    (text) => {
      expect(hiddenShown(text)).toEqual({ text, found: [] });
    },
  );

  it('says where and how many', () => {
    expect(hiddenShown(`a\nb\u200b\u200b\n\nc\u200b`).found).toEqual([
      { line: 2, count: 2 },
      { line: 4, count: 1 },
    ]);
  });

  it('leaves nothing hidden, and nothing to do a second time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const { text: shown } = hiddenShown(text);
        expect(hiddenShown(shown).found).toEqual([]);
        expect(shown).not.toMatch(/[\u{e0000}-\u{e007f}\u202a-\u202e\u2066-\u2069\u200b]/u);
      }),
    );
  });
});
