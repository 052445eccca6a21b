import fc from 'fast-check';
import { expect, it } from 'vitest';
import { highlight } from './highlight.ts';

it('loses no letter of any code', () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom('"', "'", '`', '/', '*', '#', '\n', 'if', 'x', '1', ' ', '\\', '<!--', '-->'),
      }),
      (code) => {
        expect(
          highlight(code)
            .map(({ text }) => text)
            .join(''),
        ).toBe(code);
      },
    ),
  );
});

it('knows comments, strings, numbers and keywords', () => {
  expect(highlight('const a = "1"; // no 2').filter(({ kind }) => kind !== undefined)).toEqual([
    { text: 'const', kind: 'keyword' },
    { text: '"1"', kind: 'string' },
    { text: '// no 2', kind: 'comment' },
  ]);
});
