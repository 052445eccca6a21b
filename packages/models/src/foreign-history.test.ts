import type { Message } from '@bulkhead/protocol/chat';
import { type ScriptedModelServer, startScriptedModelServer } from '@bulkhead/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import {
  assistantMessage,
  callWith,
  clientFor,
  readAnswer,
  tool,
  toolMessage,
  userMessage,
} from './testing/model-fixtures.ts';
import { WIRE_CASES, type Wire } from './testing/wire-cases.ts';

let server: ScriptedModelServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** A recorded round of a real model, with its provider's data. */
async function roundOf(wire: Wire, model = 'first-model', callId = 'call_1'): Promise<readonly Message[]> {
  const at = await startScriptedModelServer([
    {
      thinking: 'secret thought',
      signature: 'secret-signature',
      text: 'I look',
      toolCalls: [{ name: 'ls', args: { path: '.' }, id: callId }],
    },
  ]);
  const { finish } = await readAnswer(clientFor(wire, at, {}, { model }), callWith({ tools: [tool('ls')] }));
  await at.close();
  const made = finish.message.parts.find(({ part }) => part.case === 'toolCall')?.part;
  const id = made?.case === 'toolCall' ? made.value.callId : '';
  return [userMessage('go'), assistantMessage(finish.message), toolMessage(id, 'ls', 'a.txt')];
}

async function bodyFor(wire: Wire, model: string, messages: readonly Message[]): Promise<string> {
  server = await startScriptedModelServer([{ text: 'ok' }]);
  const { text } = await readAnswer(
    clientFor(wire, server, {}, { model }),
    callWith({ messages, tools: [tool('ls')] }),
  );
  expect(text).toBe('ok');
  return server.requests[0]?.bodyText ?? '';
}

const PAIRS = WIRE_CASES.flatMap(({ wire: from }) =>
  WIRE_CASES.filter(({ wire: to }) => to !== from).map(({ wire: to }) => ({ from, to })),
);

describe('a model that goes on where another began', () => {
  it.each(PAIRS)(
    '$to gets the words and calls of $from, not its thinking nor its data',
    async ({ from, to }) => {
      const body = await bodyFor(to, 'second-model', await roundOf(from));
      expect(body).toContain('I look');
      expect(body).toContain('a.txt');
      expect(body).not.toContain('secret');
    },
  );

  it.each(WIRE_CASES)(
    '$wire: another model of the same provider does not get it either',
    async ({ wire }) => {
      const body = await bodyFor(wire, 'second-model', await roundOf(wire));
      expect(body).toContain('I look');
      expect(body).not.toContain('secret');
    },
  );

  it.each(WIRE_CASES)('$wire: the model itself gets back what it thought', async ({ wire }) => {
    const body = await bodyFor(wire, 'first-model', await roundOf(wire));
    expect(body).toContain('secret');
  });

  it.each(['anthropic', 'openai'] as const)(
    '%s gets ids of calls it takes, the same for call and result',
    async (wire) => {
      const id = `functions.ls:0 ${'x'.repeat(80)}`;
      const body = await bodyFor(wire, 'second-model', await roundOf('openai-compatible', 'kimi', id));
      expect(body).not.toContain('functions.ls:0');
      const ids = [...body.matchAll(/"(?:id|tool_use_id|call_id)":"(call_[^"]*)"/g)].map(
        ([, found]) => found,
      );
      expect(ids).toHaveLength(2);
      expect(new Set(ids).size).toBe(1);
      expect(ids[0]).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    },
  );

  it('anthropic, asked for a thinking budget, does not think in a tool loop that another began', async () => {
    server = await startScriptedModelServer([{ text: 'a' }, { text: 'b' }]);
    const settings = { model: 'claude-sonnet-4-5', thinking: 'high' } as const;
    const client = clientFor('anthropic', server, {}, settings);
    const foreign = await roundOf('openai');
    const own = await roundOf('anthropic', 'claude-sonnet-4-5');
    for (const messages of [foreign, own]) {
      await readAnswer(client, callWith({ messages, tools: [tool('ls')], maxOutputTokens: 8000 }));
    }
    expect(server.requests.map(({ body }) => body)).toMatchObject([
      { max_tokens: 8000 },
      { max_tokens: 8000, thinking: { type: 'enabled', budget_tokens: 4800 } },
    ]);
    expect(server.requests[0]?.bodyText).not.toContain('"thinking"');
  });
});
