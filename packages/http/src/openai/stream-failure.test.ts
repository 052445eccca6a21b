import { expect, it } from 'vitest';
import { DoorStage } from '../testing/door-stage.ts';

it.each([
  ['/v1/chat/completions', { messages: [{ role: 'user', content: 'hi' }] }],
  ['/v1/responses', { input: 'hi' }],
])('%s logs what fails inside in the middle of a stream, and tells that it did [I4]', async (path, body) => {
  let message = '';
  const line = (seq: number, event: object, ephemeral = false) => {
    const place = { seq, time: '2026-01-01T00:00:00Z', session: 's', turn: 't' };
    return {
      seq,
      ephemeral,
      json: JSON.stringify({ ...place, ...(ephemeral ? { ephemeral } : {}), ...event }),
    };
  };
  await using door = await DoorStage.open({
    status: () => ({ model: 'p/m' }),
    createSession: () => ({ sessionId: 's' }),
    setTitle: () => ({}),
    sendMessage: ({ messageId }) => {
      message = messageId;
      return { messageId };
    },
    async *watch() {
      yield line(1, { type: 'agent_start', message });
      yield line(2, { type: 'text_delta', text: 'half a w' }, true);
    },
  });
  const { text } = await door.owner(path, {
    method: 'POST',
    body: JSON.stringify({ model: 'bulkhead', stream: true, ...body }),
  });
  expect(text).toContain('half a w');
  expect(text).toContain('something went wrong in the engine');
  expect(text).not.toContain('ended before it did');
  expect(door.errors.map(String)).toEqual([
    expect.stringContaining('the events of the run ended before it did'),
  ]);
});
