import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { FrameReader } from './frame.ts';
import { type Delta, Outbox } from './outbox.ts';

const utf8 = new TextEncoder();

/** A stream that keeps its writes and finishes them when told to. */
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
  const encodeDelta = ({ kind, requestId, text }: Delta) => utf8.encode(`${kind} ${requestId} ${text}`);
  return new Outbox(stream, { encodeDelta, maxQueuedBytes, onOverflow });
}

function text(requestId: string, value: string): Delta {
  return { kind: 'text', requestId, text: value };
}

const tick = () => new Promise(setImmediate);

describe('Outbox', () => {
  it('joins neighbouring deltas of one tick, kind and request, and keeps the order', async () => {
    const stream = new SlowStream();
    const outbox = outboxOn(stream);
    outbox.pushDelta(text('1', 'a'));
    outbox.pushDelta(text('1', 'b'));
    outbox.pushDelta({ kind: 'thinking', requestId: '1', text: 'c' });
    outbox.pushDelta(text('2', 'd'));
    outbox.push(utf8.encode('whole'));
    outbox.pushDelta(text('2', 'e'));
    await tick();
    expect(stream.writes).toEqual([['text 1 ab', 'thinking 1 c', 'text 2 d', 'whole', 'text 2 e']]);
  });

  it('sends a whole message as soon as the running code yields', async () => {
    const stream = new SlowStream();
    outboxOn(stream).push(utf8.encode('now'));
    await Promise.resolve();
    expect(stream.writes).toEqual([['now']]);
  });

  it('waits for a slow stream, joining deltas meanwhile', async () => {
    const stream = new SlowStream();
    const outbox = outboxOn(stream);
    outbox.pushDelta(text('1', 'a'));
    await tick();
    for (const letter of 'bcd') {
      outbox.pushDelta(text('1', letter));
      await tick();
    }
    expect(stream.writes).toEqual([['text 1 a']]);
    stream.release();
    await tick();
    expect(stream.writes).toEqual([['text 1 a'], ['text 1 bcd']]);
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

  it('writes what waits when it ends', () => {
    const stream = new SlowStream();
    const outbox = outboxOn(stream);
    outbox.pushDelta(text('1', 'last'));
    outbox.end();
    expect(stream.writes).toEqual([['text 1 last']]);
    expect(stream.writableEnded).toBe(true);
    outbox.push(utf8.encode('after'));
  });
});
