import { describe, expect, it } from 'vitest';
import { decodeFrames, encodeFrame } from './grpc-frame.ts';

async function* chunks(...parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

async function decodeAll(...parts: readonly Uint8Array[]): Promise<string[]> {
  const texts: string[] = [];
  for await (const message of decodeFrames(chunks(...parts)))
    texts.push(Buffer.from(message).toString('utf8'));
  return texts;
}

describe('gRPC frames', () => {
  const stream = Buffer.concat(['one', '', 'three, longer'].map((text) => encodeFrame(Buffer.from(text))));

  it('gives the same messages wherever the stream is cut [P7]', async () => {
    for (let cut = 0; cut <= stream.length; cut++) {
      const texts = await decodeAll(stream.subarray(0, cut), stream.subarray(cut));
      expect(texts, `cut at ${cut}`).toEqual(['one', '', 'three, longer']);
    }
  });

  it('refuses half a message', async () => {
    for (const end of [1, 4, stream.length - 1]) {
      await expect(decodeAll(stream.subarray(0, end))).rejects.toMatchObject({ code: 'protocol_violation' });
    }
  });

  it('refuses a compressed or impossibly long message', async () => {
    await expect(decodeAll(Buffer.from([1, 0, 0, 0, 1, 65]))).rejects.toMatchObject({
      code: 'protocol_violation',
    });
    await expect(decodeAll(Buffer.from([0, 255, 0, 0, 0]))).rejects.toMatchObject({
      code: 'protocol_violation',
    });
  });
});
