import { createMemorySessionStore, type NewRecord } from '@bulkhead/sessions';
import { createRedaction } from '@bulkhead/shield';
import { expect, it } from 'vitest';
import { SessionLog } from './session-log.ts';

const usage = { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0 };

const accepted = (messageId: string): NewRecord => ({
  time: 1,
  turn: '',
  type: 'input_accepted',
  visible: false,
  body: { content: messageId, options: {} },
  messageId,
});

const settled = (messageId: string): NewRecord => ({
  time: 1,
  turn: 'r',
  type: 'settled',
  visible: true,
  body: { message: messageId, outcome: 'completed', answer: '', usage, cost: null, rounds: 1 },
  messageId,
});

function stage() {
  const time = { now: 0 };
  const clock = { now: () => 1_000, monotonic: () => time.now };
  const store = createMemorySessionStore();
  store.createSession({ id: 's', workingFolder: '/w', time: 1 });
  const log = new SessionLog({ store, clock, ids: () => 'id', redaction: createRedaction([]) });
  const run = (text: string): number => {
    log.append('s', [accepted(text)]);
    const before = store.lastSeq('s');
    log.events('s', 'r', { type: 'session_title', title: text });
    log.ephemeral('s', 'r', { type: 'text_delta', text });
    log.append('s', [settled(text)]);
    return before;
  };
  const told = async (afterSeq: number): Promise<string[]> => {
    const subscription = log.watch('s', afterSeq);
    const last = store.lastSeq('s');
    const types: string[] = [];
    for await (const { seq, json } of subscription) {
      types.push(JSON.parse(json).type);
      if (seq === last && types.at(-1) === 'settled') break;
    }
    log.unwatch('s', subscription);
    return types;
  };
  return { time, log, run, told };
}

it('gives what a run streamed to a sender who watches only after its end [T3]', async () => {
  const { run, told } = stage();
  expect(await told(run('one'))).toEqual(['session_title', 'text_delta', 'settled']);
  // The next run begins anew.
  expect(await told(run('two'))).toEqual(['session_title', 'text_delta', 'settled']);
});

it('keeps nothing of it for those who come later [T3]', async () => {
  const { time, run, told } = stage();
  const before = run('one');
  time.now = 10_001;
  expect(await told(before)).toEqual(['session_title', 'settled']);
});
