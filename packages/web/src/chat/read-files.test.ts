import { describe, expect, it } from 'vitest';
import { messageProblem } from './compose.ts';
import { readFiles } from './read-files.ts';

const NONE = { images: [], files: [] };
const file = (name: string, content: string | Uint8Array<ArrayBuffer>, type = '') =>
  new File([content], name, { type });

describe('files that go with a message [I3]', () => {
  it('are texts by content, or images, and join the earlier ones', async () => {
    const given = [file('a.weird', 'Grüße\n'), file('dot.png', new Uint8Array([1]), 'image/png')];
    const already = { images: [], files: [{ name: 'before', text: 'x' }] };
    expect(await readFiles(given, already)).toEqual({
      images: [{ mediaType: 'image/png', data: new Uint8Array([1]) }],
      files: [
        { name: 'before', text: 'x' },
        { name: 'a.weird', text: 'Grüße\n' },
      ],
      problems: [],
    });
  });

  it.each([
    ['a PDF', file('a.pdf', '%PDF-1.7\nx'), 'is a PDF'],
    ['bytes that are no UTF-8', file('a.txt', new Uint8Array([0x66, 0xff, 0xfe])), 'is no text'],
    ['bytes with a zero in them', file('a.bin', 'a\0b'), 'is no text'],
    ['50 MB', file('log.txt', new Uint8Array(50_000_000).fill(97)), 'has 50 MB'],
    ['nothing', file('empty.txt', ' \n'), 'is empty'],
    [
      'an image of more than 5 MB',
      file('big.png', new Uint8Array(6_000_000), 'image/png'),
      'larger than 5 MB',
    ],
  ])('are not %s: a plain word says so', async (_what, given, word) => {
    const { files, images, problems } = await readFiles([given], NONE);
    expect([...files, ...images]).toEqual([]);
    expect(problems).toEqual([expect.stringContaining(word)]);
  });

  it('are at most twenty, of one line each in their names, and a million characters with the message', async () => {
    const many = Array.from({ length: 22 }, (_, at) => file(`a\n${at}.txt`, 'x'));
    const { files, problems } = await readFiles(many, NONE);
    expect(files).toHaveLength(20);
    expect(files[0]?.name).toBe('a 0.txt');
    expect(problems).toHaveLength(2);
    const half = { name: 'half', text: 'x'.repeat(500_000) };
    expect(messageProblem('', [half, half])).toBeUndefined();
    expect(messageProblem('y', [half, half])).toContain('1.0 million characters');
  });
});
