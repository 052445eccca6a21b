import { afterEach, describe, expect, it } from 'vitest';
import type { ScriptedReply } from './script.ts';
import { type ScriptedModelServer, startScriptedModelServer } from './scripted-model-server.ts';

let running: ScriptedModelServer | undefined;

afterEach(async () => {
  await running?.close();
  running = undefined;
});

const PATHS = {
  openai: '/v1/chat/completions',
  responses: '/v1/responses',
  anthropic: '/v1/messages',
  google: '/v1beta/models/some-model:streamGenerateContent?alt=sse',
  ollama: '/api/chat',
} as const;

type Format = keyof typeof PATHS;
const FORMATS: readonly Format[] = ['openai', 'responses', 'anthropic', 'google', 'ollama'];

async function ask(format: Format, ...replies: ScriptedReply[]): Promise<Response> {
  running = await startScriptedModelServer(replies);
  return fetch(running.url + PATHS[format], { method: 'POST', body: '{"model":"some-model"}' });
}

/** The parsed chunks of a body: data of events, or lines. */
function chunksOf(body: string): unknown[] {
  const lines = body.split('\n').map((line) => line.replace(/^data: /, ''));
  return lines.filter((line) => line.startsWith('{')).map((line): unknown => JSON.parse(line));
}

describe('the wire formats', () => {
  it('responses: events of items, numbered, the whole usage at the end', async () => {
    const response = await ask('responses', {
      thinking: 'hm',
      signature: 'opaque',
      text: ['a', 'b'],
      toolCalls: [{ name: 'ls', args: { path: '.' } }],
      usage: { input: 9, output: 4, cached: 3, reasoning: 1 },
    });
    const chunks = chunksOf(await response.text());
    expect(chunks.map((chunk) => (chunk as { sequence_number: number }).sequence_number)).toEqual([
      ...chunks.keys(),
    ]);
    expect(chunks).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: 'response.reasoning_summary_text.delta', delta: 'hm' }),
        expect.objectContaining({ type: 'response.output_text.delta', item_id: 'msg_1', delta: 'b' }),
        expect.objectContaining({
          type: 'response.output_item.done',
          output_index: 2,
          item: expect.objectContaining({
            type: 'function_call',
            call_id: 'call_1',
            arguments: '{"path":"."}',
          }),
        }),
      ]),
    );
    expect(chunks.at(-1)).toMatchObject({
      type: 'response.completed',
      response: {
        model: 'some-model',
        usage: {
          input_tokens: 9,
          input_tokens_details: { cached_tokens: 3 },
          output_tokens: 4,
          output_tokens_details: { reasoning_tokens: 1 },
        },
      },
    });
  });

  it('google: parts of a candidate, the model from the path, usage in every chunk', async () => {
    const response = await ask('google', {
      thinking: 'hm',
      text: 'a',
      toolCalls: [{ name: 'ls', args: { path: '.' } }],
      signature: 'opaque',
      usage: { input: 9, output: 4, reasoning: 1 },
    });
    expect(chunksOf(await response.text())).toMatchObject([
      {
        candidates: [{ content: { parts: [{ text: 'hm', thought: true }] } }],
        modelVersion: 'some-model',
        usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 3, thoughtsTokenCount: 1 },
      },
      { candidates: [{ content: { parts: [{ text: 'a' }] } }] },
      {
        candidates: [
          {
            content: {
              parts: [
                {
                  functionCall: { id: 'call_1', name: 'ls', args: { path: '.' } },
                  thoughtSignature: 'opaque',
                },
              ],
            },
          },
        ],
      },
      { candidates: [{ finishReason: 'STOP' }], usageMetadata: { promptTokenCount: 9 } },
    ]);
  });

  it('ollama: lines of JSON, counts in the last', async () => {
    const response = await ask('ollama', {
      thinking: 'hm',
      text: 'a',
      toolCalls: [{ name: 'ls', args: { path: '.' } }],
      usage: { input: 9, output: 4 },
    });
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    expect(chunksOf(await response.text())).toMatchObject([
      { model: 'some-model', message: { thinking: 'hm' }, done: false },
      { message: { content: 'a' }, done: false },
      { message: { tool_calls: [{ id: 'call_1', function: { name: 'ls', arguments: { path: '.' } } }] } },
      { done: true, done_reason: 'stop', prompt_eval_count: 9, eval_count: 4 },
    ]);
  });

  it('lists a model the way Ollama does', async () => {
    running = await startScriptedModelServer([]);
    const response = await fetch(`${running.url}/api/tags`);
    expect(await response.json()).toMatchObject({ models: [{ name: 'scripted:latest' }] });
  });
});

describe.each(FORMATS)('%s: faults', (format) => {
  it('tells the format it was asked in', async () => {
    await ask(format, { text: 'a' });
    expect(running?.requests).toMatchObject([{ format }]);
  });

  it('ends without a final event on request', async () => {
    const body = await (await ask(format, { text: 'a', stopReason: null, usage: null })).text();
    expect(body).toContain('"a"');
    expect(body).not.toMatch(
      /finish_reason":"|stop_reason":"|finishReason|done":true|response\.(completed|incomplete)|\[DONE\]/,
    );
  });

  it('puts a malformed chunk at the requested place', async () => {
    const malformed = { afterChunks: 1, data: '{broken' };
    const body = await (await ask(format, { text: ['a', 'b'], malformed })).text();
    const chunks = body.split(format === 'ollama' ? '\n' : '\n\n');
    expect(chunks[1]?.replace(/^data: /, '')).toBe('{broken');
    expect(chunks.length).toBeGreaterThan(3);
  });

  it('ends with an error event', async () => {
    const errorEvent = { afterChunks: 1, body: { error: 'scripted' } };
    const body = await (await ask(format, { text: ['a', 'b'], errorEvent })).text();
    expect(chunksOf(body)).toHaveLength(2);
    expect(chunksOf(body).at(-1)).toEqual({ error: 'scripted' });
  });

  it('breaks the connection after some chunks, and after some bytes', async () => {
    for (const cut of [{ afterChunks: 1 }, { afterBytes: 20 }]) {
      const response = await ask(format, { text: ['a', 'b'], cut });
      await expect(response.text()).rejects.toThrow();
      await running?.close();
    }
  });

  it('sends the same bytes however they are split', async () => {
    const reply = { text: 'grüße 🦀' };
    const whole = await (await ask(format, reply)).text();
    await running?.close();
    expect(await (await ask(format, { ...reply, split: { everyBytes: 1 } })).text()).toBe(whole);
  });

  it('repeats a prepared delta', async () => {
    const body = await (await ask(format, { repeat: { text: 'tok', count: 101, perWrite: 10 } })).text();
    expect(body.split('"tok"').length - 1).toBe(101);
  });

  it('keeps a silent connection open', async () => {
    const response = await ask(format, { stall: 'keep-alive-only' });
    const reader = response.body?.getReader();
    const first = await reader?.read();
    expect(first?.value?.length).toBeGreaterThan(0);
    expect(chunksOf(Buffer.from(first?.value ?? []).toString()).filter((chunk) => !isPing(chunk))).toEqual(
      [],
    );
    await reader?.cancel();
    expect(await running?.requests[0]?.disconnected).toBe(true);
  });

  it('refuses in the shape of the provider when only the status is given', async () => {
    const response = await ask(format, { error: { status: 429, message: 'slow' } });
    const shapes = {
      openai: { error: { message: 'slow', code: 'rate_limit_exceeded', param: null } },
      responses: { error: { message: 'slow' } },
      anthropic: { type: 'error', error: { type: 'rate_limit_error', message: 'slow' } },
      google: { error: { code: 429, message: 'slow', status: 'RESOURCE_EXHAUSTED' } },
      ollama: { error: 'slow' },
    };
    expect(response.status).toBe(429);
    expect(await response.json()).toMatchObject(shapes[format]);
  });
});

function isPing(chunk: unknown): boolean {
  return typeof chunk === 'object' && chunk !== null && 'type' in chunk && chunk.type === 'ping';
}
