import { processorMs, slowness } from '@bulkhead/testkit/processor-time';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSkill } from './skill-manifest.ts';

const parse = (text: string | Buffer, folder?: string) => parseSkill(Buffer.from(text), 'x/SKILL.md', folder);
const withKeys = (keys: string, body = 'Do it.') => `---\nname: x\ndescription: d\n${keys}\n---\n${body}\n`;

/** Each is a file that would make a careless reader slow, large or wrong. */
const BOMBS: readonly (readonly [string, string | Buffer, RegExp])[] = [
  ['billions of laughs', withKeys('metadata: {a: &a [x,x], b: &b [*a,*a], c: [*b,*b]}'), /:4:\d+: an anchor/],
  ['an alias alone', withKeys('license: *name'), /:4:/],
  ['a tag that builds code', withKeys('license: !!js/function "x"'), /:4:/],
  ['a tag of our own', withKeys('license: !x y'), /:4:/],
  ['a merge key', withKeys('<<: {license: y}'), /:4:\d+: .*merge key/],
  ['a key twice', withKeys('name: y'), /:4:1: key "name" is there twice/],
  ['a key twice below', withKeys('metadata:\n  a: 1\n  a: 2'), /:6:3: key "a" is there twice/],
  ['5,000 brackets', withKeys(`license: ${'['.repeat(5_000)}`), /:4: .*nested deeper/],
  ['2,000 braces in lines', withKeys(`license: ${'{a:\n'.repeat(2_000)}`), /nested deeper/],
  ['dashes upon dashes', withKeys(`metadata:\n  ${'- '.repeat(3_000)}x`), /:5: .*nested deeper/],
  ['questions upon questions', withKeys(`${'? '.repeat(3_000)}x`), /:4: .*nested deeper/],
  [
    'a staircase',
    withKeys(Array.from({ length: 100 }, (_, at) => `${' '.repeat(at)}a:`).join('\n')),
    /nested deeper/,
  ],
  ['8 KiB of quotes', withKeys(`license: ${'"'.repeat(7_900)}`), /:1: .*signs/],
  ['8 KiB of colons', withKeys(`license: ${': '.repeat(3_900)}`), /:1: .*signs/],
  [
    '3,000 keys',
    withKeys(Array.from({ length: 3_000 }, (_, at) => `k${at.toString(36)}:`).join('\n')),
    /:\d+: /,
  ],
  ['front matter of 17 KiB', withKeys(`license: ${'x'.repeat(17 * 1024)}`), /front matter is longer/],
  ['front matter without end', `---\nname: x\n${'a'.repeat(20_000)}`, /:1: .*no closing line/],
  ['50 MB', Buffer.alloc(50 * 1024 * 1024, '---\n'), /:1: is larger than 264 KiB/],
  ['a text of 260 KiB', withKeys('', 'x'.repeat(260 * 1024)), /:1: the text is longer than 256 KiB/],
  ['no UTF-8', Buffer.concat([Buffer.from(withKeys('')), Buffer.from([0xff, 0xfe])]), /:1: is no UTF-8/],
  ['two documents', withKeys('license: y\n--- a\nb: c'), /:\d+:/],
  ['a path as name', '---\nname: ../../etc\ndescription: d\n---\n', /:2: name must be/],
  ['a name with a slash', '---\nname: a/b\ndescription: d\n---\n', /:2: name must be/],
  ['a name of 65', `---\nname: ${'a'.repeat(65)}\ndescription: d\n---\n`, /:2: name must be/],
  ['a name with an invisible', '---\nname: "a\\u200b"\ndescription: d\n---\n', /:2: name must be/],
  ['the name of knowledge', '---\nname: knowledge\ndescription: d\n---\n', /:2: name must be/],
  ['a number as name', '---\nname: 12\ndescription: d\n---\n', /:2:1: name: name is missing/],
  ['no description', '---\nname: x\n---\n', /description: description is missing/],
  ['an empty description', '---\nname: x\ndescription: "  "\n---\n', /:3:1: description: is empty/],
  ['no front matter', '# hello\n', /:1: does not begin with front matter/],
  ['nothing', '', /:1: does not begin with front matter/],
];

describe('parseSkill', () => {
  it('reads what the format has, and keeps what else is asked for as options [SK1]', () => {
    const skill = parse(
      [
        '---',
        'name: pdf-forms',
        'description: >',
        '  Fills forms.',
        '  Use when a form is to be filled.',
        'license: MIT',
        'compatibility: needs python',
        'metadata: { author: Ada, version: 1.0 }',
        'allowed-tools: Bash(git:*) Read',
        'hooks: { start: [curl evil] }',
        '---',
        '',
        '# Forms',
        'Body.',
      ].join('\r\n'),
      'pdf-forms',
    );
    expect(skill).toEqual({
      name: 'pdf-forms',
      description: 'Fills forms. Use when a form is to be filled.',
      license: 'MIT',
      compatibility: 'needs python',
      metadata: { author: 'Ada', version: '1' },
      wishes: ['allowed-tools: Bash(git:*) Read', 'hooks: {"start":["curl evil"]}'],
      body: '# Forms\nBody.',
      hidden: 0,
    });
  });

  it.each(BOMBS)('refuses %s within 100 ms, and names file and line [FT65]', (_name, text, message) => {
    const bytes = Buffer.from(text);
    const refuse = () => expect(() => parseSkill(bytes, 'x/SKILL.md')).toThrow(message);
    const took = processorMs(refuse, 100);
    expect(took < 100 ? took : took / slowness()).toBeLessThan(100);
  });

  it('takes a skill only in the folder of its name', () => {
    expect(() => parse(withKeys(''), 'y')).toThrow(
      'x/SKILL.md:2: name is "x", its folder is called otherwise',
    );
    expect(parse(withKeys(''), 'x').name).toBe('x');
  });

  it('shows what is invisible in name lines, texts and options, and counts it [FT58]', () => {
    const tags = [...'obey'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
    const skill = parse(
      `---\nname: x\ndescription: "a\u202eb\u200bc"\nlicense: "M\u2066IT"\n---\nDo ${tags} it \u{1f469}\u200d\u{1f4bb}.\n`,
    );
    expect(skill.description).toBe('a[U+202E]b[U+200B]c');
    expect(skill.license).toBe('M[U+2066]IT');
    expect(skill.body).toBe('Do [U+E006F][U+E0062][U+E0065][U+E0079] it \u{1f469}\u200d\u{1f4bb}.');
    expect(skill.hidden).toBe(7);
  });

  it('never gives a reader what it can not see, whatever the file says [FT58]', () => {
    const texts = fc.string({ unit: 'binary', maxLength: 200 });
    fc.assert(
      fc.property(texts, texts, (description, body) => {
        const file = `---\nname: x\ndescription: ${JSON.stringify(`d ${description}`)}\n---\n${body}`;
        const skill = attempt(() => parse(file));
        if (skill === undefined) return;
        expect(skill.description).not.toMatch(
          /[\p{Cc}\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u{e0000}-\u{e007f}]/u,
        );
        expect(skill.body).not.toMatch(
          /(?![\n\t])[\p{Cc}\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u{e0000}-\u{e007f}]/u,
        );
      }),
      { numRuns: 100 },
    );
  });

  it('throws nothing but its own errors, each with file and line [FT65]', () => {
    const pieces = fc.constantFrom(
      'name: x',
      '- ',
      '[',
      '{',
      ': ',
      '&a',
      '*a',
      '!t ',
      '"',
      "'",
      '|',
      '>',
      '\n',
      '  ',
      '---',
      '#',
      '%',
      '@',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
        try {
          parse(`---\n${parts.join('')}\n---\nbody`);
        } catch (error) {
          expect(error).toMatchObject({ code: 'config_invalid' });
          expect(String(error)).toMatch(/x\/SKILL\.md:\d+/);
        }
      }),
      { numRuns: 150 },
    );
  });
});

function attempt<Result>(act: () => Result): Result | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
