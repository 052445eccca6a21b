import { create } from '@bufbuild/protobuf';
import { AssistantMessageSchema, type Message } from '@bulkhead/protocol/chat';
import { type ScriptedModelServer, startScriptedModelServer } from '@bulkhead/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import {
  assistantMessage,
  callWith,
  clientFor,
  readAnswer,
  toolMessage,
  userMessage,
} from './testing/model-fixtures.ts';
import { WIRE_CASES, type Wire } from './testing/wire-cases.ts';

let server: ScriptedModelServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const LOOP: readonly Message[] = [
  userMessage('one'),
  called('a'),
  toolMessage('a', 'ls', 'x'),
  called('b'),
  toolMessage('b', 'ls', 'y'),
];

function called(callId: string): Message {
  const part = { part: { case: 'toolCall' as const, value: { callId, name: 'ls', argumentsJson: '{}' } } };
  return assistantMessage(create(AssistantMessageSchema, { parts: [part] }));
}

async function sent(
  wire: Wire,
  call: Parameters<typeof callWith>[0],
  settings: Parameters<typeof clientFor>[3] = {},
): Promise<string> {
  server = await startScriptedModelServer([{ text: 'ok' }]);
  await readAnswer(clientFor(wire, server, {}, settings), callWith({ system: 'SYSTEM', ...call }));
  return server.requests[0]?.bodyText ?? '';
}

/** Texts in the request, each with a star if a cache point follows. */
function points(body: string): readonly string[] {
  const found: string[] = [];
  JSON.parse(body, (key, value: unknown) => {
    if (typeof value === 'object' && value !== null && 'cache_control' in value) {
      found.push(String(Reflect.get(value, 'text') ?? Reflect.get(value, 'content')));
    }
    return key === '' ? value : value;
  });
  return found;
}

describe.each(WIRE_CASES.map(({ wire }) => wire))('the turn part for %s', (wire) => {
  it('comes last, after the results of a round too, and changes nothing before it [C1] [C5]', async () => {
    const without = await sent(wire, { messages: LOOP });
    await server?.close();
    const first = await sent(wire, { messages: LOOP, tail: 'TAIL 1' });
    await server?.close();
    const second = await sent(wire, { messages: LOOP, tail: 'TAIL 2, longer' });
    const place = first.indexOf('TAIL 1');
    for (const text of ['SYSTEM', 'one', '"y"']) {
      const at = first.indexOf(text);
      if (wire !== 'google' || text !== 'SYSTEM') expect(at, text).toBeLessThan(place);
    }
    expect(second.slice(0, place)).toBe(first.slice(0, place));
    expect(without).not.toContain('TAIL');
  });
});

describe('cache points', () => {
  it('stand behind the system part, the last request and this one, before the turn part: anthropic [C5]', async () => {
    expect(points(await sent('anthropic', { messages: LOOP, tail: 'TAIL' }))).toEqual(['SYSTEM', 'x', 'y']);
  });

  it('stand where there is something to cache: anthropic', async () => {
    expect(points(await sent('anthropic', { messages: [userMessage('one')], tail: 'TAIL' }))).toEqual([
      'SYSTEM',
      'one',
    ]);
  });

  it('stand there for models of Anthropic at OpenRouter, and for no other [C5]', async () => {
    const claude = { model: 'anthropic/claude-sonnet-5' };
    expect(points(await sent('openrouter', { messages: LOOP, tail: 'TAIL' }, claude))).toEqual([
      'SYSTEM',
      'x',
      'y',
    ]);
    await server?.close();
    expect(points(await sent('openrouter', { messages: LOOP, tail: 'TAIL' }))).toEqual([]);
  });

  it.each(['openai-compatible', 'google', 'ollama'] as const)('are none for %s', async (wire) => {
    expect(points(await sent(wire, { messages: LOOP, tail: 'TAIL' }))).toEqual([]);
  });

  it('are found again by the key of a session: openai', async () => {
    expect(JSON.parse(await sent('openai', { messages: LOOP, cacheKey: 's1' }))).toMatchObject({
      prompt_cache_key: 's1',
    });
  });
});
