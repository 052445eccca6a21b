import fc from 'fast-check';
import { expect, it } from 'vitest';
import { splitLines } from './ollama-model.ts';

async function linesOf(pieces: readonly string[]): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of ReadableStream.from(pieces).pipeThrough(splitLines())) lines.push(line);
  return lines;
}

it('gives the same lines however the text is cut, empty ones left out', async () => {
  const line = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\n'));
  await fc.assert(
    fc.asyncProperty(fc.array(line), fc.array(fc.nat(200)), fc.boolean(), async (lines, cuts, ends) => {
      const text = lines.join('\n') + (ends ? '\n' : '');
      const sorted = [...cuts.filter((cut) => cut <= text.length)].sort((left, right) => left - right);
      const pieces = [0, ...sorted].map((from, index) => text.slice(from, sorted[index]));
      expect(pieces.join('')).toBe(text);
      expect(await linesOf(pieces)).toEqual(lines.filter((entry) => entry.trim() !== ''));
    }),
  );
});

it('refuses a line that does not end', async () => {
  const piece = 'x'.repeat(1024 * 1024);
  await expect(linesOf(Array.from({ length: 20 }, () => piece))).rejects.toThrow('no end');
});
