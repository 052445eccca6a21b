import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expandTemplate } from './expand-template.ts';
import { parseTemplate } from './parse-template.ts';
import { splitArguments } from './split-arguments.ts';

const marked = (text: string) => `<untrusted_input>${text}</untrusted_input>`;

describe('expandTemplate', () => {
  it.each([
    ['Fix $1 in $2.', 'bug "a file"', `Fix ${marked('bug')} in ${marked('a file')}.`],
    ['All: $@', ' a  "b c" ', `All: ${marked('a  "b c"')}`],
    ['All: $ARGUMENTS.', 'x', `All: ${marked('x')}.`],
    ['$$1 costs $10 and $ARGUMENTSX', '', '$1 costs $10 and $ARGUMENTSX'],
    ['Say hello', 'to Ada', `Say hello\n\n${marked('to Ada')}`],
    ['Say hello', '', 'Say hello'],
    ['$1', '$2 $@ $ARGUMENTS', marked('$2')],
    ['$1|$2', "it's 'one word'", `${marked("it's")}|${marked('one word')}`],
  ])('makes of %j and %j its message, arguments as data [SK3]', (text, given, message) => {
    expect(expandTemplate('t', text, given)).toBe(message);
  });

  it('says how many arguments are missing', () => {
    expect(() => expandTemplate('t', '$1 $3', 'a b')).toThrow('/t needs 3 arguments, 2 given');
    expect(() => expandTemplate('t', '$@', 'x'.repeat(32_001))).toThrow('longer than 32000');
    expect(() => expandTemplate('t', '$@ '.repeat(20), 'x'.repeat(31_000))).toThrow('longer than 400000');
  });

  it('lets no argument close or open marks, or hide in them, however that is written [SK3] [FT58]', () => {
    const signs = fc.constantFrom(...'<＜﹤‹❮⟨〈《«≪ᐸ˂≮≺', '<\u200b', '<\u0338');
    const slashes = fc.constantFrom('', '/', ' / ', '／', '∕', '\u200b/');
    const names = fc.constantFrom(
      'untrusted_input',
      'UNTRUSTED INPUT',
      'un\u200btrus\u00adted-input',
      'ｕntrusted_іnput',
    );
    const mark = fc.tuple(signs, slashes, names).map((parts) => parts.join(''));
    const hidden = fc.constantFrom('$1', '$@', '\u202e', '\u200b', 'x');
    const part = fc.oneof(mark, hidden, fc.string({ unit: 'binary', maxLength: 8 }));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const message = expandTemplate('t', 'Do: $@ End.', parts.join(''));
        const [, inside] = /^Do: <untrusted_input>(.*)<\/untrusted_input> End\.$/su.exec(message) ?? [];
        expect(marksIn(inside ?? '<untrusted_input')).toEqual([]);
        expect(message).not.toMatch(/[\u200b\u202e\u{e0000}-\u{e007f}]/u);
      }),
      { numRuns: 1_000 },
    );
  });
});

/**
 * Texts that a lenient reader takes for a mark: an opening sign, other signs only, then the name.
 */
function marksIn(text: string): readonly string[] {
  const plain = text
    .replaceAll(/\[U\+[0-9A-F]+\]/g, '')
    .normalize('NFKD')
    .replaceAll(/[‹❮⟨〈〈《«≪ᐸ˂≺]/gu, '<')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('і', 'i')
    .toLowerCase();
  return plain.match(/<[^\p{L}\p{N}<]*u\P{L}*n\P{L}*trusted\P{L}*input/gu) ?? [];
}

describe('splitArguments', () => {
  it('keeps every character but quotes and blanks', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 6 }), { maxLength: 8 }), (words) => {
        const plain = words.map((word) => word.replaceAll(/['"\s]/g, '')).filter((word) => word !== '');
        expect(splitArguments(plain.map((word) => `"${word}"`).join(' '))).toEqual(plain);
        expect(splitArguments(plain.join('\t '))).toEqual(plain);
      }),
    );
  });
});

describe('parseTemplate', () => {
  it('reads a description, and names the place of a mistake', () => {
    const read = (text: string) => parseTemplate('t', Buffer.from(text), 't.md');
    expect(read('---\ndescription: Does it\n---\nDo $1\n')).toEqual({
      name: 't',
      description: 'Does it',
      text: 'Do $1',
    });
    expect(read('Only text')).toMatchObject({ description: '', text: 'Only text' });
    expect(() => read('---\ndescription: [x]\n---\nDo')).toThrow('t.md:2:1: description: must be text');
    expect(() => read('  \n')).toThrow('t.md:1: has no text');
  });
});
