import fc from 'fast-check';
import { expect, it } from 'vitest';
import { terms } from './terms.ts';

it.each([
  ['one word in all its forms', 'painting painted paints', ['paint', 'paint', 'paint']],
  [
    'forms that no rule reaches',
    'bought buys, children and a child',
    ['buy', 'buy', 'child', 'and', 'a', 'child'],
  ],
  ['accents and capitals', 'Café CAFÉ cafe Straße', ['cafe', 'cafe', 'cafe', 'strass']],
  ['possession and short forms', "Mara's cat, Mara’s bike, they'll", ['mara', 'cat', 'mara', 'bike', 'they']],
  ['numbers and dates', '2026-05-08 at 19:30', ['2026', '05', '08', 'at', '19', '30']],
  ['signs without spaces between words', '東京 ラーメン', ['東', '京', 'ラ', 'ー', 'メ', 'ン']],
  ['no words at all', '… 🎉🎉 --- ', []],
])('reads %s [M2]', (_what, text, expected) => {
  expect(terms(text)).toEqual(expected);
});

it('gives the same terms for a text in pieces as for the whole', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: fc.constantFrom(...'abc xyz-:é東🎉') })), (pieces) => {
      expect(terms(pieces.join('\n'))).toEqual(pieces.flatMap((piece) => terms(piece)));
    }),
  );
});

it('keeps to right-to-left text, and cuts what is no word', () => {
  expect(terms('שלום עולם')).toHaveLength(2);
  expect(terms('a'.repeat(1_000_000))[0]).toHaveLength(40);
});
