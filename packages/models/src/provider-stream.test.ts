import { setTimeout as sleep } from 'node:timers/promises';
import { create } from '@bufbuild/protobuf';
import { MessageSchema, StopReason } from '@bulkhead/protocol/chat';
import { type ScriptedModelServer, type ScriptedReply, startScriptedModelServer } from '@bulkhead/testkit';
import { shareOfNumbers } from '@bulkhead/testkit/sweep';
import { afterEach, describe, expect, it } from 'vitest';
import {
  callWith,
  clientFor,
  KEY,
  readAnswer,
  tool,
  toolMessage,
  userMessage,
} from './testing/model-fixtures.ts';
import { WIRE_CASES, type WireCase } from './testing/wire-cases.ts';

let server: ScriptedModelServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function serve(...replies: ScriptedReply[]): Promise<ScriptedModelServer> {
  server = await startScriptedModelServer(replies);
  return server;
}

describe.each(WIRE_CASES)('$wire over HTTP', (wireCase) => {
  const { wire, stop } = wireCase;

  it('streams text and ends with one finish: whole message, stop reason, usage [D2, L6]', async () => {
    const at = await serve({
      text: ['Hel', 'lo ', 'wörld'],
      usage: { input: 100, output: 20, cached: 40, reasoning: 7 },
    });
    const { events, text, finish } = await readAnswer(clientFor(wire, at));
    expect(events.map((event) => event.type)).toEqual(['text', 'text', 'text', 'finish']);
    expect(text).toBe('Hello wörld');
    expect(finish.stopReason).toBe(StopReason.STOP);
    expect(finish.message.parts.map(({ part }) => part)).toMatchObject([
      { case: 'text', value: { text: 'Hello wörld' } },
    ]);
    const details = wireCase.detailedUsage
      ? { cachedInputTokens: 40, reasoningTokens: 7 }
      : { cachedInputTokens: 0, reasoningTokens: 0 };
    expect(finish.usage).toMatchObject({ inputTokens: 100, outputTokens: 20, ...details });
  });

  it('keeps thinking apart from text and before it', async () => {
    const at = await serve({ thinking: ['let ', 'me see'], signature: 'sig-1', text: 'ok' });
    const { thinking, text, finish } = await readAnswer(clientFor(wire, at));
    expect([thinking, text]).toEqual(['let me see', 'ok']);
    expect(finish.message.parts.map(({ part }) => part.case)).toEqual(['thinking', 'text']);
  });

  it('gives one call and several calls, in order, with their arguments as written', async () => {
    const at = await serve({
      text: 'looking',
      toolCalls: [
        { name: 'ls', args: { path: 'a b' } },
        { name: 'read', rawArgs: '{ "path" : "ü.txt" }' },
      ],
    });
    const { finish } = await readAnswer(clientFor(wire, at), callWith({ tools: [tool('ls'), tool('read')] }));
    expect(finish.stopReason).toBe(StopReason.TOOL_CALLS);
    expect(finish.message.parts.map(({ part }) => part.value)).toMatchObject([
      { text: 'looking' },
      { callId: 'call_1', name: 'ls', argumentsJson: '{"path":"a b"}' },
      {
        callId: 'call_2',
        name: 'read',
        argumentsJson: wireCase.textArguments ? '{ "path" : "ü.txt" }' : '{"path":"ü.txt"}',
      },
    ]);
  });

  it('hands on arguments that do not parse, exactly as the model wrote them', async () => {
    const at = await serve({ toolCalls: [{ name: 'ls', rawArgs: '{"path": ' }] });
    const { finish } = await readAnswer(clientFor(wire, at), callWith({ tools: [tool('ls')] }));
    expect(finish.message.parts[0]?.part.value).toMatchObject({ argumentsJson: '{"path": ' });
  });

  it('makes repeated call ids unique, within an answer and against the conversation', async () => {
    const at = await serve({
      toolCalls: [
        { name: 'ls', id: 'same' },
        { name: 'read', id: 'same' },
      ],
    });
    const earlier = create(MessageSchema, {
      role: {
        case: 'assistant',
        value: {
          parts: [{ part: { case: 'toolCall', value: { callId: 'same', name: 'ls', argumentsJson: '{}' } } }],
        },
      },
    });
    const messages = [userMessage('a'), earlier, toolMessage('same', 'ls', 'x')];
    const { finish } = await readAnswer(clientFor(wire, at), callWith({ messages, tools: [tool('ls')] }));
    const ids = finish.message.parts.map(({ part }) => (part.case === 'toolCall' ? part.value.callId : ''));
    expect(new Set([...ids, 'same']).size).toBe(3);
    expect(ids).not.toContain('');
  });

  it.each([
    [stop.length, StopReason.LENGTH],
    [
      stop.filtered ?? stop.length,
      stop.filtered === undefined ? StopReason.LENGTH : StopReason.CONTENT_FILTER,
    ],
    ['a_reason_of_tomorrow', StopReason.OTHER],
  ])('maps the stop reason %s [L6]', async (stopReason, expected) => {
    const at = await serve({ text: 'x', stopReason });
    expect((await readAnswer(clientFor(wire, at))).finish.stopReason).toBe(expected);
  });

  it('counts a reply with calls as one that stopped to call, whatever the server says [L6]', async () => {
    const at = await serve({ toolCalls: [{ name: 'ls' }], stopReason: stop.normal });
    expect((await readAnswer(clientFor(wire, at))).finish.stopReason).toBe(StopReason.TOOL_CALLS);
  });

  it('reads the same answer however the bytes are cut, in the middle of characters too', async () => {
    const reply = { text: ['grüße ', '🦀'], toolCalls: [{ name: 'ls', args: { path: 'ß' } }] };
    const at = await serve(reply, { ...reply, split: { everyBytes: 1 } });
    const whole = await readAnswer(clientFor(wire, at));
    const split = await readAnswer(clientFor(wire, at));
    expect(split.finish).toEqual(whole.finish);
    expect(split.text).toBe('grüße 🦀');
  });

  it('reads the same answer with one cut at any byte offset', async () => {
    const reply = { text: 'é🦀' };
    const length = (await plainBody(wireCase, reply)).length;
    const offsets = shareOfNumbers(1, length, 60);
    server = await startScriptedModelServer((_request, index) => ({
      ...reply,
      split: [offsets[index] ?? 1],
    }));
    const client = clientFor(wire, server);
    for (const offset of offsets) {
      const { text, finish } = await readAnswer(client);
      expect([offset, text, finish.stopReason]).toEqual([offset, 'é🦀', StopReason.STOP]);
    }
  });

  it('uses a connection again, also when the server is slow to end the stream', async () => {
    const at = await serve({ text: 'a', chunkDelayMs: 40 }, { text: 'b' });
    const client = clientFor(wire, at);
    await readAnswer(client);
    await sleep(50);
    await readAnswer(client);
    const [first, second] = at.requests.map((request) => request.clientPort);
    expect(first).toBeGreaterThan(0);
    expect(second).toBe(first);
  });
});

it.each(WIRE_CASES.filter(({ key }) => key !== undefined))(
  '$wire: sends the key in its header and nowhere else [P6]',
  async ({ wire, key }) => {
    const at = await serve({ text: 'x' });
    await readAnswer(clientFor(wire, at), callWith({ system: 'be brief', tools: [tool('ls')] }));
    const request = at.requests[0];
    const { [key?.header ?? '']: header, ...others } = request?.headers ?? {};
    expect(header).toBe(`${key?.prefix}${KEY}`);
    expect(JSON.stringify([others, request?.path, request?.bodyText])).not.toContain(KEY);
  },
);

async function plainBody({ endpoint }: WireCase, reply: ScriptedReply): Promise<Buffer> {
  const plain = await startScriptedModelServer([reply]);
  const response = await fetch(plain.url + endpoint, { method: 'POST', body: '{"model":"test-model"}' });
  const body = Buffer.from(await response.arrayBuffer());
  await plain.close();
  return body;
}
