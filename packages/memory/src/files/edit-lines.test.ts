import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addLines, changeLine } from './edit-lines.ts';

const add = (before: string | undefined, heading: string, ...lines: string[]) =>
  addLines(before === undefined ? undefined : Buffer.from(before), {
    heading,
    lines,
    title: 'Memory',
  }).toString();

describe('addLines', () => {
  it('makes a file, its heading and the line [M1]', () => {
    expect(add(undefined, 'Notes', '- a')).toBe('# Memory\n\n## Notes\n\n- a\n');
  });

  it('adds at the end of the section, before the next one [M1]', () => {
    const before = '# Memory\n\n## Notes\n\n- a\n### Deep\n- b\n\n## Other\n- c\n';
    expect(add(before, 'Notes', '- new')).toBe(
      '# Memory\n\n## Notes\n\n- a\n### Deep\n- b\n- new\n\n## Other\n- c\n',
    );
  });

  it('keeps the ends of lines, and makes one where the last line has none', () => {
    expect(add('## Notes\r\n- a', 'Notes', '- b')).toBe('## Notes\r\n- a\r\n- b\r\n');
    expect(add('words', 'Notes', '- b')).toBe('words\n\n## Notes\n\n- b\n');
  });

  it('takes no heading in code for one', () => {
    expect(add('```\n## Notes\n```\n', 'Notes', '- b')).toBe('```\n## Notes\n```\n\n## Notes\n\n- b\n');
  });

  it('loses no byte of the present text, whatever it is', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom('Notes', 'Zürich'), (bytes, heading) => {
        const after = addLines(bytes, { heading, lines: ['- ü'], title: '' });
        const added = after.length - bytes.length;
        expect(added).toBeGreaterThan(0);
        const shared = [...bytes.entries()].findIndex(([at, byte]) => after[at] !== byte);
        const at = shared < 0 ? bytes.length : shared;
        expect(after.subarray(at + added)).toEqual(Buffer.from(bytes.subarray(at)));
      }),
    );
  });

  it('takes linear time for a line without end', () => {
    const long = `${'#'.repeat(300_000)}\n${' '.repeat(300_000)}x\n# ${'# '.repeat(150_000)}`;
    expect(add(long, 'Notes', '- b').length).toBeGreaterThan(long.length);
  });
});

describe('changeLine', () => {
  const before = Buffer.from('# A\r\n- one\r\n- two\r\n- one');

  it('changes and removes one line, the last of its kind [M1]', () => {
    expect(changeLine(before, '- one', '- 1')?.toString()).toBe('# A\r\n- one\r\n- two\r\n- 1');
    expect(changeLine(before, '- two', undefined)?.toString()).toBe('# A\r\n- one\r\n- one');
  });

  it('says if there is no such line', () => expect(changeLine(before, '- on', 'x')).toBeUndefined());
});
