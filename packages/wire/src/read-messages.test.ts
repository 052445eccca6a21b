import { create, toBinary } from '@bufbuild/protobuf';
import { type Shutdown, ShutdownSchema, ToolProgressSchema } from '@bulkhead/protocol/worker';
import { describe, expect, it } from 'vitest';
import { encodeFrames } from './frame.ts';
import { readMessages } from './read-messages.ts';

async function* chunks(...parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

async function readAll(...parts: readonly Uint8Array[]): Promise<string[]> {
  const texts: string[] = [];
  for await (const { text } of readMessages(chunks(...parts), ToolProgressSchema, 100)) texts.push(text);
  return texts;
}

function progress(text: string): Uint8Array {
  return toBinary(ToolProgressSchema, create(ToolProgressSchema, { text }));
}

describe('readMessages', () => {
  const stream = encodeFrames(['one', '', 'three, longer'].map(progress));

  it('gives the same messages wherever the stream is cut', async () => {
    for (let cut = 0; cut <= stream.length; cut += 1) {
      const texts = await readAll(stream.subarray(0, cut), stream.subarray(cut));
      expect(texts, `cut at ${cut}`).toEqual(['one', '', 'three, longer']);
    }
  });

  it('refuses half a message', async () => {
    for (const end of [1, 4, stream.length - 1]) {
      await expect(readAll(stream.subarray(0, end))).rejects.toMatchObject({ code: 'protocol_violation' });
    }
  });

  it.each([
    ['compressed', Buffer.from([1, 0, 0, 0, 1, 65])],
    ['over the limit', Buffer.from([0, 0, 0, 0, 101])],
    ['no message of its kind', encodeFrames([new Uint8Array([0xff, 0xff])])],
  ])('refuses what is %s', async (_name, bytes) => {
    await expect(readAll(bytes)).rejects.toMatchObject({ code: 'protocol_violation' });
  });

  it('passes on why its source broke', async () => {
    const broken = async function* (): AsyncGenerator<Uint8Array> {
      yield encodeFrames([new Uint8Array()]);
      throw new Error('the socket broke');
    };
    const seen: Shutdown[] = [];
    const reading = (async () => {
      for await (const message of readMessages(broken(), ShutdownSchema, 100)) seen.push(message);
    })();
    await expect(reading).rejects.toThrow('the socket broke');
    expect(seen.length).toBe(1);
  });
});
