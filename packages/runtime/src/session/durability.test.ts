import type { Reply } from '@bulkhead/home/testing';
import { type AppendOptions, createMemorySessionStore, type NewRecord } from '@bulkhead/sessions';
import { describe, expect, it } from 'vitest';
import { sessionStage } from '../testing/session-stage.ts';

const write = ['write', { path: 'f', content: 'x' }] as const;
const read = ['read', { path: 'f' }] as const;

/** A session, and for each type of record whether it was on the disk when its append returned. */
async function recorded(replies: readonly Reply[]) {
  const waited = new Map<string, boolean>();
  const memory = createMemorySessionStore();
  const store = new Proxy(memory, {
    get(target, name: keyof typeof memory) {
      if (name !== 'append') return Reflect.get(target, name);
      return (session: string, records: readonly NewRecord[], options: AppendOptions = {}) => {
        const durable = options.durable ?? true;
        for (const { type, body } of records) {
          const key = type === 'settled' ? `settled ${String(body['outcome'])}` : type;
          const kind = type === 'action_intent' ? `${type} ${String(body['effect'])}` : key;
          waited.set(kind, (waited.get(kind) ?? true) && durable);
        }
        return target.append(session, records, options);
      };
    },
  });
  const test = sessionStage({
    store,
    replies,
    act: ({ tool }) => {
      if (tool === 'write') test.send(session, 'steer', { delivery: 'steer' });
      return { text: 'ok', isError: false };
    },
  });
  const session = test.create();
  test.send(session, 'a');
  await test.settle();
  test.send(session, 'b');
  await test.settle(10);
  test.sessions.cancel(session);
  await test.settle();
  expect(test.outcomes(session)).toEqual(['steer merged', 'a completed', 'b aborted']);
  return waited;
}

describe('records on the disk before their effects', () => {
  it('is what a person was promised, and what an effect rests on; nothing else waits [T8] [FR7] [FG4]', async () => {
    const waited = await recorded([
      { calls: [read] },
      { calls: [write] },
      { text: 'done' },
      { text: 'slow', waitMs: 60_000 },
    ]);
    for (const type of [
      'action_intent idempotent',
      'settled completed',
      'settled merged',
      'settled aborted',
      'cancel_requested',
    ]) {
      expect([type, waited.get(type)]).toEqual([type, true]);
    }
    // Each wait for the disk costs a millisecond: what can be done again, or be read off something else, has none.
    for (const type of [
      'action_intent pure',
      'turn_start',
      'message_start',
      'tool_call',
      'model_call',
      'idle',
    ]) {
      expect([type, waited.get(type)]).toEqual([type, false]);
    }
  });

  it('answers the sender of a message, also of one seen before, only after the log is flushed [T2] [FR7]', async () => {
    const { promise: flushed, resolve: flush } = Promise.withResolvers<void>();
    const store = createMemorySessionStore();
    store.flush = () => flushed;
    const test = sessionStage({ store });
    const session = test.create();
    const answers: boolean[] = [];
    for (let time = 0; time < 2; time += 1) {
      void test.send(session, 'a').then(({ duplicate }) => answers.push(duplicate));
    }
    await test.settle();
    expect(answers).toEqual([]);
    flush();
    await test.settle();
    expect(answers).toEqual([false, true]);
  });
});
