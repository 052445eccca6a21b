import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { FrameReader } from './frame.ts';
import { type MergeableMessage, Outbox } from './outbox.ts';

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

/** Merges with its like of the same topic. */
class Note implements MergeableMessage {
  readonly #topic: string;
  #text: string;

  constructor(topic: string, text: string) {
    this.#topic = topic;
    this.#text = text;
  }

  get bytes(): number {
    return this.#text.length;
  }

  absorb(next: MergeableMessage): boolean {
    if (!(next instanceof Note) || next.#topic !== this.#topic) return false;
    this.#text += next.#text;
    return true;
  }

  encode(): Uint8Array {
    return utf8.encode(`${this.#topic} ${this.#text}`);
  }
}

function outboxOn(stream: Writable, maxQueuedBytes = 100_000, onOverflow = () => {}): Outbox {
  return new Outbox(stream, { maxMessageBytes: 1_000, maxQueuedBytes, onOverflow });
}

const tick = () => new Promise(setImmediate);

describe('Outbox', () => {
  it('merges neighbours of one tick that may be, and keeps the order', async () => {
    const stream = new SlowStream();
    const outbox = outboxOn(stream);
    outbox.pushMergeable(new Note('1', 'a'));
    outbox.pushMergeable(new Note('1', 'b'));
    outbox.pushMergeable(new Note('2', 'c'));
    outbox.pushMergeable(new Note('1', 'd'));
    outbox.push(utf8.encode('whole'));
    outbox.pushMergeable(new Note('1', 'e'));
    await tick();
    expect(stream.writes).toEqual([['1 ab', '2 c', '1 d', 'whole', '1 e']]);
  });

  it('lets a long burst go out in pieces, without waiting for the end of the tick', () => {
    const stream = new SlowStream();
    const outbox = outboxOn(stream);
    for (let at = 0; at < 5_000; at += 1) outbox.pushMergeable(new Note('1', 'x'));
    expect(stream.writes).toHaveLength(1);
    expect(stream.writes[0]?.[0]?.length).toBeGreaterThan(4_000);
  });

  it('holds what follows mergeable messages for a while, but nothing else', async () => {
    const stream = new SlowStream();
    const outbox = new Outbox(stream, {
      maxMessageBytes: 1_000,
      maxQueuedBytes: 100_000,
      onOverflow: () => {},
      holdMs: 60_000,
    });
    outbox.pushMergeable(new Note('1', 'a'));
    await tick();
    stream.release();
    outbox.pushMergeable(new Note('1', 'b'));
    await tick();
    await tick();
    expect(stream.writes).toEqual([['1 a']]);
    outbox.push(utf8.encode('whole'));
    await tick();
    expect(stream.writes).toEqual([['1 a'], ['1 b', 'whole']]);
    outbox.end();
  });

  it('sends held messages when the hold is over', async () => {
    const stream = new SlowStream();
    const outbox = new Outbox(stream, {
      maxMessageBytes: 1_000,
      maxQueuedBytes: 100_000,
      onOverflow: () => {},
      holdMs: 5,
    });
    outbox.pushMergeable(new Note('1', 'a'));
    await tick();
    stream.release();
    outbox.pushMergeable(new Note('1', 'b'));
    await expect.poll(() => stream.writes).toEqual([['1 a'], ['1 b']]);
    outbox.end();
  });

  it('sends a whole message as soon as the running code yields', async () => {
    const stream = new SlowStream();
    outboxOn(stream).push(utf8.encode('now'));
    await Promise.resolve();
    expect(stream.writes).toEqual([['now']]);
  });

  it('waits for a slow stream, merging meanwhile', async () => {
    const stream = new SlowStream();
    const outbox = outboxOn(stream);
    outbox.pushMergeable(new Note('1', 'a'));
    await tick();
    for (const letter of 'bcd') {
      outbox.pushMergeable(new Note('1', letter));
      await tick();
    }
    expect(stream.writes).toEqual([['1 a']]);
    stream.release();
    await tick();
    expect(stream.writes).toEqual([['1 a'], ['1 bcd']]);
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

  it('counts what is merged into what waits', async () => {
    const stream = new SlowStream();
    let overflows = 0;
    const outbox = outboxOn(stream, 500, () => {
      overflows += 1;
    });
    for (let at = 0; at < 50; at += 1) outbox.pushMergeable(new Note('1', '0123456789'));
    expect(overflows).toBe(1);
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
    outbox.pushMergeable(new Note('1', 'last'));
    outbox.end();
    expect(stream.writes).toEqual([['1 last']]);
    expect(stream.writableEnded).toBe(true);
    expect(outbox.push(utf8.encode('after'))).toBe(true);
  });
});
