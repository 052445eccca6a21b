import { create } from '@bufbuild/protobuf';
import { MessageSchema } from '@bulkhead/protocol/chat';
import { type ScriptedModelServer, type ScriptedReply, startScriptedModelServer } from '@bulkhead/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { callWith, clientFor, readAnswer, tool, toolMessage, userMessage } from './testing/model-fixtures.ts';

let server: ScriptedModelServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function serve(...replies: ScriptedReply[]): Promise<ScriptedModelServer> {
  server = await startScriptedModelServer(replies);
  return server;
}

describe('the conversation on the wire', () => {
  const answer = create(MessageSchema, {
    role: {
      case: 'assistant',
      value: {
        parts: [
          { part: { case: 'text', value: { text: 'I look' } } },
          {
            part: { case: 'toolCall', value: { callId: 'c1', name: 'ls', argumentsJson: '{ "path": "." }' } },
          },
          { part: { case: 'toolCall', value: { callId: 'c2', name: 'read', argumentsJson: '{broken' } } },
        ],
      },
    },
  });
  const messages = [
    userMessage('go'),
    answer,
    toolMessage('c1', 'ls', 'a.txt'),
    toolMessage('c2', 'read', 'bad arguments', true),
  ];

  it('is chat completion messages for openai-compatible', async () => {
    const at = await serve({ text: 'x' });
    await readAnswer(clientFor('openai-compatible', at), callWith({ system: 'be brief', messages }));
    expect(at.requests[0]?.body).toMatchObject({
      model: 'test-model',
      stream_options: { include_usage: true },
      messages: [
        { role: 'system', content: 'be brief' },
        { role: 'user', content: 'go' },
        {
          role: 'assistant',
          content: 'I look',
          tool_calls: [
            { id: 'c1', type: 'function', function: { name: 'ls', arguments: '{ "path": "." }' } },
            { id: 'c2', type: 'function', function: { name: 'read', arguments: '"{broken"' } },
          ],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'a.txt' },
        { role: 'tool', tool_call_id: 'c2', content: 'bad arguments' },
      ],
    });
  });

  it('is Messages API blocks for anthropic, failed results marked', async () => {
    const at = await serve({ text: 'x' });
    await readAnswer(clientFor('anthropic', at), callWith({ system: 'be brief', messages }));
    expect(at.requests[0]?.body).toMatchObject({
      model: 'test-model',
      system: [{ type: 'text', text: 'be brief' }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'go' }] },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'I look' },
            { type: 'tool_use', id: 'c1', name: 'ls', input: { path: '.' } },
            { type: 'tool_use', id: 'c2', name: 'read', input: { invalid_arguments: '{broken' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'c1', content: 'a.txt' },
            { type: 'tool_result', tool_use_id: 'c2', content: 'bad arguments', is_error: true },
          ],
        },
      ],
    });
  });

  it('is input items for openai, nothing kept there', async () => {
    const at = await serve({ text: 'x' });
    await readAnswer(clientFor('openai', at), callWith({ system: 'be brief', messages }));
    expect(at.requests[0]?.path).toBe('/v1/responses');
    expect(at.requests[0]?.body).toMatchObject({
      model: 'test-model',
      store: false,
      stream: true,
      input: [
        { role: 'system', content: 'be brief' },
        { role: 'user', content: [{ type: 'input_text', text: 'go' }] },
        { role: 'assistant', content: 'I look' },
        { type: 'function_call', call_id: 'c1', name: 'ls', arguments: '{ "path": "." }' },
        { type: 'function_call', call_id: 'c2', name: 'read', arguments: '"{broken"' },
        { type: 'function_call_output', call_id: 'c1', output: 'a.txt' },
        { type: 'function_call_output', call_id: 'c2', output: '{"error":"bad arguments"}' },
      ],
    });
  });

  it('is contents for google, the results of a round in one turn as it wants them', async () => {
    const at = await serve({ text: 'x' });
    await readAnswer(clientFor('google', at), callWith({ system: 'be brief', messages }));
    expect(at.requests[0]?.path).toBe('/v1beta/models/test-model:streamGenerateContent?alt=sse');
    expect(at.requests[0]?.body).toMatchObject({
      systemInstruction: { parts: [{ text: 'be brief' }] },
      contents: [
        { role: 'user', parts: [{ text: 'go' }] },
        {
          role: 'model',
          parts: [
            { text: 'I look' },
            { functionCall: { name: 'ls', args: { path: '.' } } },
            { functionCall: { name: 'read', args: { invalid_arguments: '{broken' } } },
          ],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { name: 'ls', response: { content: 'a.txt' } } },
            { functionResponse: { name: 'read', response: { error: 'bad arguments' } } },
          ],
        },
      ],
    });
  });

  it('is plain messages for ollama, results with the names of their tools', async () => {
    const at = await serve({ text: 'x' });
    await readAnswer(clientFor('ollama', at), callWith({ system: 'be brief', messages }));
    expect(at.requests[0]?.path).toBe('/api/chat');
    expect(at.requests[0]?.body).toMatchObject({
      model: 'test-model',
      stream: true,
      messages: [
        { role: 'system', content: 'be brief' },
        { role: 'user', content: 'go' },
        {
          role: 'assistant',
          content: 'I look',
          tool_calls: [
            { id: 'c1', function: { name: 'ls', arguments: { path: '.' } } },
            { id: 'c2', function: { name: 'read', arguments: { invalid_arguments: '{broken' } } },
          ],
        },
        { role: 'tool', content: 'a.txt', tool_name: 'ls', tool_call_id: 'c1' },
        { role: 'tool', content: 'bad arguments', tool_name: 'read', tool_call_id: 'c2' },
      ],
    });
  });

  it('brings reasoning back to OpenAI encrypted, and the thought signature of a call to Google', async () => {
    const reply = { thinking: 'hm', signature: 'opaque-7', toolCalls: [{ name: 'ls' }] };
    for (const wire of ['openai', 'google'] as const) {
      const at = await serve(reply, { text: 'x' });
      const client = clientFor(wire, at);
      const first = await readAnswer(client, callWith({ tools: [tool('ls')] }));
      const said = create(MessageSchema, { role: { case: 'assistant', value: first.finish.message } });
      const next = [userMessage('hello'), said, toolMessage('call_1', 'ls', 'a')];
      await readAnswer(client, callWith({ messages: next, tools: [tool('ls')] }));
      await at.close();
      expect(at.requests[1]?.body).toMatchObject(
        wire === 'openai'
          ? {
              input: [
                {},
                { type: 'reasoning', encrypted_content: 'opaque-7', summary: [{ text: 'hm' }] },
                { type: 'function_call', call_id: 'call_1' },
                {},
              ],
            }
          : {
              contents: [
                {},
                {
                  parts: [
                    { text: 'hm', thought: true },
                    { functionCall: {}, thoughtSignature: 'opaque-7' },
                  ],
                },
                {},
              ],
            },
      );
    }
  });

  it('brings thinking back to Anthropic with its signature, and redacted thinking with its data', async () => {
    const at = await serve(
      { redactedThinking: 'opaque', thinking: 'hm', signature: 'sig-9', toolCalls: [{ name: 'ls' }] },
      { text: 'x' },
    );
    const client = clientFor('anthropic', at);
    const first = await readAnswer(client, callWith({ tools: [tool('ls')] }));
    const said = create(MessageSchema, { role: { case: 'assistant', value: first.finish.message } });
    const next = [userMessage('hello'), said, toolMessage('call_1', 'ls', 'a')];
    await readAnswer(client, callWith({ messages: next, tools: [tool('ls')] }));
    expect(at.requests[1]?.body).toMatchObject({
      messages: [
        {},
        {
          content: [
            { type: 'redacted_thinking', data: 'opaque' },
            { type: 'thinking', thinking: 'hm', signature: 'sig-9' },
            { type: 'tool_use', id: 'call_1' },
          ],
        },
        {},
      ],
    });
  });

  it('does not send one provider what another left on a part', async () => {
    const foreign = create(MessageSchema, {
      role: {
        case: 'assistant',
        value: {
          parts: [
            { part: { case: 'text', value: { text: 't' } }, providerJson: '{"anthropic":{"secretField":1}}' },
          ],
        },
      },
    });
    const at = await serve({ text: 'x' });
    await readAnswer(
      clientFor('openai-compatible', at),
      callWith({ messages: [userMessage('a'), foreign, userMessage('b')] }),
    );
    expect(at.requests[0]?.bodyText).not.toContain('secretField');
  });
});
