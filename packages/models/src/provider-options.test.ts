import { type ScriptedModelServer, type ScriptedReply, startScriptedModelServer } from '@bulkhead/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import {
  assistantMessage,
  callWith,
  clientFor,
  imageMessage,
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

async function serve(...replies: ScriptedReply[]): Promise<ScriptedModelServer> {
  server = await startScriptedModelServer(replies);
  return server;
}

describe('images', () => {
  const data = 'iVBORw==';
  const EXPECTED: Readonly<Record<Wire, object>> = {
    anthropic: {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
            { type: 'text', text: 'what is this?' },
          ],
        },
      ],
    },
    openai: {
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_image', image_url: `data:image/png;base64,${data}` },
            { type: 'input_text', text: 'what is this?' },
          ],
        },
      ],
    },
    google: {
      contents: [
        {
          role: 'user',
          parts: [{ inlineData: { mimeType: 'image/png', data } }, { text: 'what is this?' }],
        },
      ],
    },
    ollama: { messages: [{ role: 'user', content: 'what is this?', images: [data] }] },
    openrouter: {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } },
            { type: 'text', text: 'what is this?' },
          ],
        },
      ],
    },
    'openai-compatible': {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } },
            { type: 'text', text: 'what is this?' },
          ],
        },
      ],
    },
  };

  it.each(WIRE_CASES)('$wire gets them with the text that speaks of them [D1]', async ({ wire }) => {
    const at = await serve({ text: 'a' }, { text: 'b' });
    const messages = [imageMessage('what is this?')];
    await readAnswer(clientFor(wire, at), callWith({ messages }));
    await readAnswer(clientFor(wire, at), callWith({ messages: [imageMessage('')] }));
    expect(at.requests[0]?.body).toMatchObject(EXPECTED[wire]);
    expect(at.requests[1]?.bodyText).toContain(data);
  });
});

describe('calls that are forbidden', () => {
  const schema = { type: 'object' };
  const chat = {
    max_tokens: 77,
    stream: true,
    tools: [{ function: { name: 'ls', parameters: schema } }],
    tool_choice: 'none',
  };
  const EXPECTED: Readonly<Record<Wire, object>> = {
    anthropic: {
      max_tokens: 77,
      stream: true,
      tools: [{ name: 'ls', input_schema: schema }],
      tool_choice: { type: 'none' },
    },
    openai: {
      max_output_tokens: 77,
      stream: true,
      tools: [{ type: 'function', name: 'ls', parameters: schema, strict: false }],
      tool_choice: 'none',
    },
    google: {
      generationConfig: { maxOutputTokens: 77 },
      tools: [{ functionDeclarations: [{ name: 'ls' }] }],
      toolConfig: { functionCallingConfig: { mode: 'NONE' } },
    },
    ollama: { stream: true, options: { num_predict: 77 } },
    openrouter: chat,
    'openai-compatible': chat,
  };

  it.each(WIRE_CASES)(
    'are excluded in the request of $wire, with the tools listed where that is possible',
    async ({ wire }) => {
      const at = await serve({ text: 'x' }, { text: 'y' });
      const call = callWith({ tools: [tool('ls')], forbidTools: true, maxOutputTokens: 77 });
      await readAnswer(clientFor(wire, at), call);
      expect(at.requests[0]?.body).toMatchObject(EXPECTED[wire]);
      await readAnswer(clientFor(wire, at), { ...call, forbidTools: false });
      expect(at.requests[1]?.bodyText).toContain('"ls"');
      expect(at.requests[1]?.bodyText).not.toMatch(/none/i);
    },
  );

  it('ollama, which has no word for it, gets no tools', async () => {
    const at = await serve({ text: 'x' });
    await readAnswer(clientFor('ollama', at), callWith({ tools: [tool('ls')], forbidTools: true }));
    expect(at.requests[0]?.body).not.toHaveProperty('tools');
  });
});

it('ollama receives the size of the context, and the order not to cut the rest', async () => {
  const at = await serve({ text: 'ok' });
  await readAnswer(clientFor('ollama', at, {}, { contextWindow: 16_384 }), callWith());
  expect(at.requests[0]?.body).toMatchObject({
    truncate: false,
    shift: false,
    options: { num_ctx: 16_384, num_predict: 1000 },
  });
});

it.each(['', '/api', '/'])('ollama is found at a base URL that ends with "%s"', async (ending) => {
  const at = await serve({ text: 'ok' });
  await readAnswer(clientFor('ollama', at, {}, { baseUrl: `${at.url}${ending}` }));
  expect(at.requests[0]?.path).toBe('/api/chat');
});

it('openrouter gets back the details of its thinking, whole and in order', async () => {
  const at = await serve({ text: 'ok' });
  const delta = (reasoning_details: readonly object[]): string =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: '', reasoning_details } }] })}\n\n`;
  const body = [
    delta([{ type: 'reasoning.text', text: 'let ', signature: null, index: 0, format: 'f' }]),
    delta([{ type: 'reasoning.text', text: 'me', signature: 's1', index: 0 }]),
    delta([{ type: 'reasoning.encrypted', data: 'opaque', index: 1 }]),
    'data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c1","function":{"name":"ls","arguments":"{}"}}]}}]}\n\n',
    'data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}\n\n',
    'data: [DONE]\n\n',
  ].join('');
  const first = await startScriptedModelServer([
    { error: { status: 200, body, headers: { 'content-type': 'text/event-stream' } } },
  ]);
  const { finish } = await readAnswer(clientFor('openrouter', first), callWith({ tools: [tool('ls')] }));
  await first.close();
  const messages = [userMessage('go'), assistantMessage(finish.message), toolMessage('c1', 'ls', 'a')];
  await readAnswer(clientFor('openrouter', at), callWith({ messages, tools: [tool('ls')] }));
  expect(at.requests[0]?.body).toMatchObject({
    messages: [
      {},
      {
        role: 'assistant',
        tool_calls: [{ id: 'c1' }],
        reasoning_details: [
          { type: 'reasoning.text', text: 'let me', signature: 's1', index: 0, format: 'f' },
          { type: 'reasoning.encrypted', data: 'opaque', index: 1 },
        ],
      },
      {},
    ],
  });
});
