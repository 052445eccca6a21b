import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editText } from './edit-text.ts';

const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r\n', 'é', ' '), maxLength: 30 });

function occurrences(content: string, wanted: string): number {
  let count = 0;
  for (let at = content.indexOf(wanted); at >= 0; at = content.indexOf(wanted, at + 1)) count += 1;
  return count;
}

describe('replacing one text [B2]', () => {
  it('changes exactly what is there once, and nothing else that is missing or doubled', () => {
    fc.assert(
      fc.property(text, text, text, (content, oldText, newText) => {
        fc.pre(oldText !== '');
        const outcome = editText(Buffer.from(content), oldText, newText);
        const times = occurrences(content, oldText);
        if (times > 1) expect(outcome).toMatchObject({ kind: 'ambiguous', count: times });
        if (times === 1 && outcome.kind === 'edited' && !outcome.converted) {
          expect(outcome.content.toString()).toBe(content.split(oldText).join(newText));
        }
        if (times === 1) expect(outcome.kind).toBe('edited');
        if (times === 0 && outcome.kind === 'edited') expect(outcome.converted).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it('leaves a CRLF file with CRLF at every line, whatever is put in', () => {
    fc.assert(
      fc.property(text, (newText) => {
        const outcome = editText(Buffer.from('one\r\nmark\r\nthree\r\n'), 'mark', newText);
        expect(outcome.kind).toBe('edited');
        if (outcome.kind === 'edited') expect(outcome.content.toString()).not.toMatch(/(?<!\r)\n/);
      }),
    );
  });
});
