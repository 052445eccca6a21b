import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { FrameReader } from './frame.ts';
import { Outbox } from './outbox.ts';

const utf8 = new TextEncoder();

/** A stream that holds its writes until the test finishes them. */
class SlowStream extends Writable {
  readonly writes: string[][] = [];
  #release: (() => void) | undefined;

  constructor() {
    super({ highWaterMark: 1 });
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    const messages = new FrameReader(1_000_000).push(chunk);
    this.writes.push(messages.map((message) => new TextDecoder().decode(message)));
    this.#release = done;
  }

  release(): void {
    this.#release?.();
  }
}

function outboxOn(stream: Writable, maxQueuedBytes = 100_000, onOverflow = () => {}): Outbox {
  return new Outbox(stream, { maxMessageBytes: 1_000, maxQueuedBytes, onOverflow });
}

const tick = () => new Promise(setImmediate);

describe('Outbox', () => {
  it('sends a whole message as soon as the running code yields', async () => {
    const stream = new SlowStream();
    outboxOn(stream).push(utf8.encode('now'));
    await Promise.resolve();
    expect(stream.writes).toEqual([['now']]);
  });

  it('waits for a slow stream, then writes all that waits at once, in order', async () => {
    const stream = new SlowStream();
    const outbox = outboxOn(stream);
    for (const letter of 'abcd') {
      outbox.push(utf8.encode(letter));
      await tick();
    }
    expect(stream.writes).toEqual([['a']]);
    stream.release();
    await tick();
    expect(stream.writes).toEqual([['a'], ['b', 'c', 'd']]);
  });

  it('reports once when too much waits, and sends nothing from then on', async () => {
    const stream = new SlowStream();
    let overflows = 0;
    const outbox = outboxOn(stream, 500, () => {
      overflows += 1;
    });
    outbox.push(utf8.encode('first'));
    await tick();
    for (let at = 0; at < 100; at += 1) outbox.push(new Uint8Array());
    expect(overflows).toBe(1);
    stream.release();
    await tick();
    expect(stream.writes).toEqual([['first']]);
  });

  it('refuses a message larger than the peer accepts, and goes on', async () => {
    const stream = new SlowStream();
    const outbox = outboxOn(stream);
    expect(outbox.push(new Uint8Array(1_001))).toBe(false);
    expect(outbox.push(utf8.encode('next'))).toBe(true);
    await tick();
    expect(stream.writes).toEqual([['next']]);
  });

  it('writes what waits when it ends', () => {
    const stream = new SlowStream();
    const outbox = outboxOn(stream);
    outbox.push(utf8.encode('last'));
    outbox.end();
    expect(stream.writes).toEqual([['last']]);
    expect(stream.writableEnded).toBe(true);
    expect(outbox.push(utf8.encode('after'))).toBe(true);
  });
});
