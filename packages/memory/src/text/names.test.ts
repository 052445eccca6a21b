import fc from 'fast-check';
import { expect, it } from 'vitest';
import { speakerOf } from '../rank/packed-chunk.ts';

it.each([
  ['- Mara: hello', 'mara'],
  ['**Noor:** hello', 'noor'],
  ['**Noor**: hello', 'noor'],
  ['Priya (18:40): hello', 'priya'],
  ['[19:05] Elif Şahin: hello', 'elif sahin'],
  ['19:05 Sam: hello', 'sam'],
  ['Elena said: hello', 'elena'],
  ['> Dr. Okafor: hello', 'dr. okafor'],
  ['mara: in lower case is a word', ''],
  ['We met Mara: she was late', ''],
  ['at 19:05 we left', ''],
  ['', ''],
])('%s is said by %o [M2]', (line, expected) => {
  expect(speakerOf(line)).toBe(expected);
});

it('reads any line, however long', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)), maxLength: 60 }),
      (line) => void speakerOf(line),
    ),
  );
  expect(speakerOf(`${'A'.repeat(1_000_000)}:`)).toBe('');
});
