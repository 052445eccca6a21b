import { create } from '@bufbuild/protobuf';
import { createDayTotals } from '@bulkhead/log/ledger/day-totals';
import { Ledger } from '@bulkhead/log/ledger/ledger';
import { assistantMessage, userMessage } from '@bulkhead/log/session/message-view';
import { SessionLog } from '@bulkhead/log/session/session-log';
import { BulkheadError, type ModelCall, type ModelClient } from '@bulkhead/protocol';
import { AssistantMessageSchema, StopReason, UsageSchema } from '@bulkhead/protocol/chat';
import { createMemorySessionStore } from '@bulkhead/sessions';
import { memoryTables } from '@bulkhead/sessions/testing';
import { createRedaction } from '@bulkhead/shield';
import { describe, expect, it } from 'vitest';
import { Titles } from './titles.ts';

const clock = { now: () => 1_000, monotonic: () => 0 };
const CHOICE = { model: '', baseUrl: '' };

function talk(exchanges: number, answer: string | BulkheadError = 'Planning a trip', name = 'p/m') {
  let next = 0;
  const ids = () => {
    next += 1;
    return `e${next}`;
  };
  const store = createMemorySessionStore();
  store.createSession({ id: 's', workingFolder: '/w', time: 1 });
  const redaction = createRedaction([]);
  const log = new SessionLog({ store, clock, ids, redaction });
  const asked: ModelCall[] = [];
  let parent: string | null = null;
  const say = () => {
    for (const message of [
      userMessage('Where shall we go in May?'),
      assistantMessage(
        create(AssistantMessageSchema, { parts: [{ part: { case: 'text', value: { text: 'North.' } } }] }),
      ),
    ]) {
      const { id, record } = log.entry('r', parent, { type: 'message_end', role: 'user' }, message);
      log.append('s', [record], { leaf: id });
      parent = id;
    }
  };
  for (let exchange = 0; exchange < exchanges; exchange += 1) say();
  const model: ModelClient = {
    name,
    contextWindow: 1_000,
    price: { input: 1, output: 1, cachedInput: 1 },
    async *stream(call) {
      asked.push(call);
      if (typeof answer !== 'string') throw answer;
      yield {
        type: 'finish',
        message: create(AssistantMessageSchema, {
          parts: [{ part: { case: 'text', value: { text: answer } } }],
        }),
        stopReason: StopReason.STOP,
        usage: create(UsageSchema, { inputTokens: 50, outputTokens: 4 }),
      };
    },
  };
  const ledger = new Ledger({
    store,
    time: { believed: () => clock.now() },
    days: createDayTotals(memoryTables()),
    caps: { perDay: undefined, perSession: undefined },
  });
  const titles = new Titles({ log, ledger, model: () => model, now: clock.now });
  const consider = async () => {
    titles.consider('s', CHOICE);
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  return { store, asked, consider, say, title: () => store.getSession('s')?.title };
}

describe('Titles', () => {
  it('names a session after its third exchange, and not before [T7]', async () => {
    const { consider, say, title, asked } = talk(2);
    await consider();
    expect(asked).toEqual([]);
    say();
    await consider();
    expect(title()).toBe('Planning a trip');
    await consider();
    expect(asked).toHaveLength(1);
  });

  it('shows the model the talk as data, and asks for no tools', async () => {
    const { consider, asked } = talk(3);
    await consider();
    expect(asked[0]?.messages).toHaveLength(1);
    expect(asked[0]?.tools).toEqual([]);
    expect(asked[0]?.maxOutputTokens).toBeLessThan(100);
  });

  it('counts what it cost, by its purpose [D2] [T7]', async () => {
    const { consider, store } = talk(3);
    await consider();
    expect(store.modelCalls({})).toMatchObject([{ purpose: 'title', calls: 1, inputTokens: 50 }]);
  });

  it('keeps one clean line, whatever the model says', async () => {
    const { consider, title } = talk(3, `"A\n\u001b[2J title"  ${'x'.repeat(200)}`);
    await consider();
    expect(title()).toMatch(/^A \[2J title/);
    expect(title()?.length).toBeLessThanOrEqual(60);
  });

  it('tries again after the next exchange, three times in all, and costs no turn anything [T7]', async () => {
    const { consider, title, asked, store } = talk(3, new BulkheadError('overloaded', 'busy'));
    for (let turn = 0; turn < 5; turn += 1) await consider();
    expect(asked).toHaveLength(3);
    expect(title()).toBe('');
    expect(store.modelCalls({})).toMatchObject([{ calls: 3, failed: 3 }]);
  });

  it('needs no model where there is none [T7]', async () => {
    const { consider, title, asked } = talk(3, '', 'offline/rules');
    await consider();
    expect(title()).toBe('Where shall we go in May?');
    expect(asked).toEqual([]);
  });
});
