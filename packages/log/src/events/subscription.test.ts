import { describe, expect, it } from 'vitest';
import type { EventLine } from './event-view.ts';
import { Subscription } from './subscription.ts';

const durable = (seq: number): EventLine => ({
  seq,
  type: 'x',
  ephemeral: false,
  sessionId: 's',
  settles: '',
  json: `{"seq":${seq}}`,
});
const delta = (seq: number): EventLine => ({
  seq,
  type: 'text_delta',
  ephemeral: true,
  sessionId: 's',
  settles: '',
  json: '{}',
});

/** A session's log in small: what is published is stored first, then pushed. */
function log(capacity = 4) {
  const stored: EventLine[] = [];
  const subscriptions: Subscription[] = [];
  return {
    publish: (line: EventLine) => {
      if (!line.ephemeral) stored.push(line);
      for (const subscription of subscriptions) subscription.push(line);
    },
    watch: (afterSeq: number) => {
      const subscription = new Subscription({
        afterSeq,
        capacity,
        replay: (after, limit) => stored.filter(({ seq }) => seq > after).slice(0, limit),
        gap: (after) => ({
          seq: after + 1,
          type: 'gap',
          ephemeral: true,
          sessionId: 's',
          settles: '',
          json: `{"after":${after}}`,
        }),
      });
      subscriptions.push(subscription);
      return subscription;
    },
  };
}

async function take(subscription: Subscription, count: number): Promise<EventLine[]> {
  const lines: EventLine[] = [];
  for await (const line of subscription) {
    lines.push(line);
    if (lines.length === count) break;
  }
  return lines;
}

describe('Subscription', () => {
  it('puts what was streamed before the watch between the durable events it belongs to [T3]', async () => {
    const stored = [durable(1), durable(2)];
    const subscription = new Subscription({
      afterSeq: 0,
      capacity: 4,
      replay: (after, limit) => stored.filter(({ seq }) => seq > after).slice(0, limit),
      live: () => [delta(2), delta(3)],
      gap: delta,
    });
    const lines = await take(subscription, 4);
    expect(lines.map(({ seq, ephemeral }) => [seq, ephemeral])).toEqual([
      [1, false],
      [2, true],
      [2, false],
      [3, true],
    ]);
  });

  it('resumes after a sequence number and goes on live, with nothing lost or doubled [T3]', async () => {
    const events = log(1_000);
    for (let seq = 1; seq <= 600; seq += 1) events.publish(durable(seq));
    const subscription = events.watch(10);
    const reading = take(subscription, 690);
    for (let seq = 601; seq <= 700; seq += 1) {
      events.publish(durable(seq));
      if (seq % 7 === 0) await Promise.resolve();
    }
    expect((await reading).map(({ seq }) => seq)).toEqual(
      Array.from({ length: 690 }, (_, index) => index + 11),
    );
  });

  it('never waits for a slow reader: it tells a gap, then gives every durable event from the log [X6]', async () => {
    const events = log(4);
    const subscription = events.watch(0);
    const first = await (async () => {
      events.publish(durable(1));
      return await take(events.watch(0), 1);
    })();
    expect(first).toHaveLength(1);
    const iterator = subscription[Symbol.asyncIterator]();
    await iterator.next();
    for (let seq = 2; seq <= 20; seq += 1) {
      events.publish(durable(seq));
      events.publish(delta(seq + 1));
    }
    const seen: EventLine[] = [];
    while (seen.at(-1)?.seq !== 20 || seen.at(-1)?.ephemeral) {
      const { value } = await iterator.next();
      if (value !== undefined) seen.push(value);
    }
    expect(seen.some(({ type }) => type === 'gap')).toBe(true);
    expect(seen.filter(({ ephemeral }) => !ephemeral).map(({ seq }) => seq)).toEqual(
      Array.from({ length: 19 }, (_, index) => index + 2),
    );
  });

  it('tells a gap for what is dropped while the log is read, and none where the log has it all [X6]', async () => {
    const events = log(4);
    for (let seq = 1; seq <= 40; seq += 1) events.publish(durable(seq));
    const subscription = events.watch(0);
    const iterator = subscription[Symbol.asyncIterator]();
    const seen: EventLine[] = [(await iterator.next()).value];
    // It stands still within the first page of the log; durable events alone are no loss.
    for (let seq = 41; seq <= 60; seq += 1) events.publish(durable(seq));
    for (let count = 0; count < 15; count += 1) seen.push((await iterator.next()).value);
    expect(seen.map(({ seq }) => seq)).toEqual(Array.from({ length: 16 }, (_, index) => index + 1));
    seen.push((await iterator.next()).value);
    expect(seen.at(-1)).toMatchObject({ type: 'x', seq: 17 });
    events.publish(delta(61));
    while (seen.at(-1)?.seq !== 60) seen.push((await iterator.next()).value);
    const gaps = seen.filter(({ ephemeral }) => ephemeral);
    expect(gaps.map(({ type, json }) => [type, json])).toEqual([['gap', '{"after":48}']]);
    expect(seen.filter(({ ephemeral }) => !ephemeral).map(({ seq }) => seq)).toEqual(
      Array.from({ length: 60 }, (_, index) => index + 1),
    );
    const more = iterator.next();
    await Promise.resolve();
    events.publish(delta(61));
    expect((await more).value).toMatchObject({ type: 'text_delta', seq: 61 });
  });

  it('begins with a gap where no log tells what came before, and has one where it was too slow [X6]', async () => {
    const gap = { ...delta(0), type: 'gap' };
    const subscription = new Subscription({ afterSeq: 0, capacity: 3, gap: () => gap });
    subscription.push(durable(7));
    subscription.push(durable(3));
    for (let seq = 8; seq <= 20; seq += 1) subscription.push(durable(seq));
    const iterator = subscription[Symbol.asyncIterator]();
    const seen: EventLine[] = [];
    for (let count = 0; count < 4; count += 1) seen.push((await iterator.next()).value);
    const more = iterator.next();
    await Promise.resolve();
    subscription.push(durable(21));
    seen.push((await more).value);
    expect(seen.map(({ type, seq }) => (type === 'gap' ? type : seq))).toEqual(['gap', 7, 3, 'gap', 21]);
  });

  it('keeps little for who never reads, however large events are, and tells where to go on [X6] [FG10]', async () => {
    const events = log(4_096);
    const subscription = events.watch(0);
    const iterator = subscription[Symbol.asyncIterator]();
    events.publish({ ...durable(1), json: 'first' });
    await iterator.next();
    for (let seq = 2; seq <= 400; seq += 1) {
      const line = { ...durable(seq), json: `{"seq":${seq},"text":"${'x'.repeat(16_384)}"}` };
      events.publish(line);
      for (let count = 0; count < 4; count += 1) events.publish({ ...delta(seq + 1), json: line.json });
    }
    const seen: EventLine[] = [];
    while (seen.at(-1)?.type !== 'gap') seen.push((await iterator.next()).value);
    const kept = seen.reduce((sum, { json }) => sum + json.length, 0);
    expect(kept).toBeLessThan(600_000);
    const last = seen.findLast(({ ephemeral }) => !ephemeral)?.seq ?? 1;
    expect(seen.at(-1)?.json).toBe(`{"after":${last}}`);
    while (seen.at(-1)?.seq !== 400) seen.push((await iterator.next()).value);
    expect(seen.filter(({ ephemeral }) => !ephemeral).map(({ seq }) => seq)).toEqual(
      Array.from({ length: 399 }, (_, index) => index + 2),
    );
  });

  it('reads few large events of the log at once, many small ones [FG10]', async () => {
    const asked: number[] = [];
    const stored = Array.from({ length: 600 }, (_, index) => {
      const size = index < 40 ? 200_000 : 100;
      return { ...durable(index + 1), json: 'x'.repeat(size) };
    });
    const subscription = new Subscription({
      afterSeq: 0,
      capacity: 4,
      replay: (after, limit) => {
        asked.push(limit);
        return stored.filter(({ seq }) => seq > after).slice(0, limit);
      },
      gap: (after) => delta(after),
    });
    expect(await take(subscription, 600)).toEqual(stored);
    expect(asked.slice(0, 4)).toEqual([16, 4, 1, 1]);
    expect(asked.at(-1)).toBe(256);
  });

  it('ends when it is closed', async () => {
    const subscription = log().watch(0);
    const reading = take(subscription, 1);
    subscription.close();
    await expect(reading).resolves.toEqual([]);
  });
});
