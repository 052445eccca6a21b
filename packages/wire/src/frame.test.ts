import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeFrames, FrameReader } from './frame.ts';

describe('FrameReader', () => {
  it('gives back what was framed, wherever the stream is cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 8 }),
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }),
        (messages, sizes) => {
          const bytes = encodeFrames(messages);
          const reader = new FrameReader(40);
          const got: Uint8Array[] = [];
          for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
            const size = sizes[turn % sizes.length] ?? 1;
            got.push(...reader.push(bytes.subarray(at, at + size)));
            at += size;
          }
          expect(got.map((message) => [...message])).toEqual(messages.map((message) => [...message]));
          expect(reader.idle).toBe(true);
        },
      ),
    );
  });

  it('refuses a message over the limit by its header, before any of it is held', () => {
    const reader = new FrameReader(100);
    expect(() => reader.push(Buffer.from([0, 0, 0, 0, 101]))).toThrow('101 bytes');
    expect(() => new FrameReader(100).push(Buffer.from([0, 0, 0, 0, 100]))).not.toThrow();
  });

  it('refuses a compressed message', () => {
    expect(() => new FrameReader(100).push(Buffer.from([1, 0, 0, 0, 0]))).toThrow('compressed');
  });

  it('knows when it stands inside a message', () => {
    const reader = new FrameReader(100);
    reader.push(Buffer.from([0, 0]));
    expect(reader.idle).toBe(false);
    reader.push(Buffer.from([0, 0, 1, 7]));
    expect(reader.idle).toBe(true);
  });
});
