import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHUNK_LENGTH, OVERLAP_LENGTH } from './chunk.ts';
import { chunkText } from './chunk-text.ts';
import { decodeText } from './decode-text.ts';

const prose = (lines: number) => Array.from({ length: lines }, (_, at) => `Line ${at + 1} of a long walk.`);

describe('chunks of a Markdown text [M2]', () => {
  it('have at most 400 tokens and share up to 80 with the one before', () => {
    const chunks = chunkText(prose(400).join('\n'), 'MEMORY.md');
    expect(chunks.length).toBeGreaterThan(5);
    for (const [at, chunk] of chunks.entries()) {
      expect(chunk.ordinal).toBe(at);
      expect(chunk.text.length).toBeLessThanOrEqual(CHUNK_LENGTH);
      const before = chunks[at - 1];
      if (before === undefined) continue;
      expect(chunk.lines[0]).toBeLessThanOrEqual(before.lines[1]);
      expect(chunk.lines[0]).toBeGreaterThan(before.lines[0]);
      const shared = chunk.text.split('\n').slice(0, before.lines[1] - chunk.lines[0] + 1);
      expect(shared.join('\n').length).toBeLessThanOrEqual(OVERLAP_LENGTH);
      expect(shared.length).toBeGreaterThan(3);
    }
    expect(chunks.at(-1)?.lines[1]).toBe(400);
  });

  it('know the headings over them, and the day of file or heading', () => {
    const text = [
      'Above all.',
      '# Life',
      '## Auto-captured -- 2026-11-02',
      'Sold the boat.',
      '### Later',
      'Bought a canoe.',
      '## Auto-captured -- 2026-11-05 ##',
      'Tried the canoe.',
      '# Other',
      'No day here.',
    ].join('\n');
    expect(
      chunkText(text, 'memory/202611/20261101.md').map(({ heading, date, lines }) => [heading, date, lines]),
    ).toEqual([
      ['', '2026-11-01', [1, 2]],
      ['Life > Auto-captured -- 2026-11-02', '2026-11-02', [3, 6]],
      ['Life > Auto-captured -- 2026-11-05', '2026-11-05', [7, 8]],
      ['Other', '2026-11-01', [9, 10]],
    ]);
  });

  it.each([
    ['memory/202602/20260230.md', ''],
    ['memory/202602/20260228.md', '2026-02-28'],
    ['knowledge/2026-03-01 plan.md', '2026-03-01'],
    ['knowledge/120260301.md', ''],
    ['20260301/notes.md', ''],
  ])('%s is about %j', (path, date) => {
    expect(chunkText('Words.', path)[0]?.date).toBe(date);
  });

  it('take neither code nor front matter for headings', () => {
    const text = '---\n# no heading\n---\n# One\n```sh\n# no heading\n~~~\n```\n~~~~\n# no\n~~~\n~~~~\nwords';
    const headings = new Set(chunkText(text, 'a.md').map(({ heading }) => heading));
    expect(headings).toEqual(new Set(['']));
    const chunks = chunkText(
      `# One\n\`\`\`\n# no heading\n${prose(100).join('\n')}\n\`\`\`\n# Two\nwords`,
      'a.md',
    );
    expect(new Set(chunks.map(({ heading }) => heading))).toEqual(new Set(['One', 'Two']));
  });

  it('break at a heading or blank line rather than within a paragraph', () => {
    const paragraph = prose(45).join('\n');
    const chunks = chunkText(`# A\n${paragraph}\n\n# B\n${paragraph}\n\n${paragraph}`, 'a.md');
    expect(chunks.map(({ text }) => text.split('\n')[0])).toEqual([
      '# A',
      '# B',
      expect.stringContaining('Line'),
    ]);
    expect(chunks[1]?.lines).toEqual([48, 93]);
  });

  it('hold a line of a megabyte in pieces, without a torn character', () => {
    for (const line of ['word '.repeat(200_000), '\u{1f600}'.repeat(250_000)]) {
      const chunks = chunkText(`before\n${line}\nafter`, 'a.md');
      expect(chunks.length).toBeLessThan(1_000);
      for (const { text } of chunks) {
        expect(text.length).toBeLessThanOrEqual(CHUNK_LENGTH + 10);
        expect(text.isWellFormed()).toBe(true);
      }
      expect(chunks.at(-1)?.text.endsWith('after')).toBe(true);
      expect(chunks.every(({ lines: [first, last] }) => first >= 1 && last <= 3)).toBe(true);
    }
  });

  it('are the same for line ends of any system', () => {
    const text = prose(100);
    expect(chunkText(text.join('\r\n'), 'a.md')).toEqual(chunkText(text.join('\n'), 'a.md'));
  });

  it('cover every line that has words, at its number, whatever the text', () => {
    const line = fc.oneof(
      fc.string({ maxLength: 200 }),
      fc.constantFrom('', '# One', '## 2026-01-02', '```', '---', ' ', 'x'.repeat(2_000), '~~~'),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 120 }), (lines) => {
        const text = lines.join('\n');
        const split = text.split(/\r?\n/);
        const chunks = chunkText(text, 'a.md');
        const covered = new Set<number>();
        for (const chunk of chunks) {
          expect(chunk.text.length).toBeLessThanOrEqual(CHUNK_LENGTH);
          const [first, last] = chunk.lines;
          for (let number = first; number <= last; number += 1) covered.add(number);
          if (split.slice(first - 1, last).every((one) => one.length <= CHUNK_LENGTH)) {
            expect(chunk.text).toBe(split.slice(first - 1, last).join('\n'));
          }
        }
        split.forEach((one, at) => {
          if (one.trim() !== '') expect(covered.has(at + 1)).toBe(true);
        });
        expect(chunks.map(({ ordinal }) => ordinal)).toEqual(chunks.map((_, at) => at));
      }),
      { numRuns: 200 },
    );
  });

  it('take time in proportion to the text, for lines, headings and fences', () => {
    const cost = (text: string) => {
      const times = Array.from({ length: 3 }, () => {
        const begin = process.cpuUsage().user;
        chunkText(text, 'a.md');
        return process.cpuUsage().user - begin;
      });
      return Math.min(...times);
    };
    for (const line of ['x'.repeat(40), '# heading\n', '```\n', '\n', '#### a ####     \n', '---\n']) {
      const [small, large] = [cost(line.repeat(3_000)), cost(line.repeat(30_000))];
      // Microseconds; quadratic time would be a hundred.
      expect(large).toBeLessThan(50 * Math.max(small, 2_000));
    }
  });
});

describe('bytes that should be text [M2]', () => {
  it.each([
    [[0xef, 0xbb, 0xbf, 0x61], 'a', false],
    [[0x61, 0xff, 0x62], 'a\ufffdb', true],
    [[0x61, 0x00, 0x62], 'a\ufffdb', false],
    [[0x61, 0xe2, 0x82], 'a\ufffd', true],
    [[0xe2, 0x82, 0xac], '\u20ac', false],
    [[], '', false],
  ])('%j', (bytes, text, replaced) => {
    expect(decodeText(Uint8Array.from(bytes), false)).toEqual({ text, replaced });
  });

  it('lose no more than the character they were cut in', () => {
    for (const character of ['a', 'é', '€', '\u{1f600}']) {
      const bytes = Buffer.from(`x${character}`);
      for (let size = 1; size < bytes.length; size += 1) {
        expect(decodeText(bytes.subarray(0, size), true)).toEqual({ text: 'x', replaced: false });
      }
      expect(decodeText(bytes, true).text).toBe(`x${character}`);
    }
  });

  it('never throw and always give a well-formed text', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const { text } = decodeText(bytes, bytes.length % 2 === 0);
        expect(text.isWellFormed()).toBe(true);
        expect(text).not.toContain('\0');
      }),
    );
  });
});
