import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitOutput } from './ripgrep.ts';

async function* chunksOf(text: string, sizes: readonly number[]): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  let at = 0;
  for (let index = 0; at < bytes.length; index += 1) {
    const size = sizes[index % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

describe('splitting a stream', () => {
  it('gives the same pieces however the stream is cut', async () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'bc', '\n'), maxLength: 60 });
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(text, sizes, async (whole, cuts) => {
        const got: (string | undefined)[] = [];
        for await (const piece of splitOutput(chunksOf(whole, cuts), 10, 5)) got.push(piece?.toString());
        const expected = whole.split('\n').map((piece) => (piece.length > 5 ? undefined : piece));
        if (expected.at(-1) === '') expected.pop();
        expect(got).toEqual(expected);
      }),
    );
  });
});
