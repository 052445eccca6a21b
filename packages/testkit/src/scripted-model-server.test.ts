import { afterEach, describe, expect, it } from 'vitest';
import type { Script } from './script.ts';
import {
  type ScriptedModelServer,
  type ScriptedServerOptions,
  startScriptedModelServer,
} from './scripted-model-server.ts';

let running: ScriptedModelServer | undefined;

afterEach(async () => {
  await running?.close();
  running = undefined;
});

async function serve(script: Script, options?: ScriptedServerOptions): Promise<ScriptedModelServer> {
  running = await startScriptedModelServer(script, options);
  return running;
}

function post(server: ScriptedModelServer, path: string, signal?: AbortSignal): Promise<Response> {
  return fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': 'k' },
    body: JSON.stringify({ model: 'some-model', stream: true, messages: [] }),
    ...(signal === undefined ? {} : { signal }),
  });
}

function dataOf(body: string): unknown[] {
  const lines = body.split('\n').filter((line) => line.startsWith('data: ') && line !== 'data: [DONE]');
  return lines.map((line): unknown => JSON.parse(line.slice(6)));
}

describe('startScriptedModelServer', () => {
  it('speaks chat completion chunks with a usage chunk and a last [DONE]', async () => {
    const server = await serve([{ text: ['a', 'b'], usage: { input: 7, output: 2, cached: 3 } }]);
    const response = await post(server, '/v1/chat/completions');
    const body = await response.text();
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(body.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(dataOf(body)).toMatchObject([
      { model: 'some-model', choices: [{ delta: { role: 'assistant' } }] },
      { choices: [{ delta: { content: 'a' } }] },
      { choices: [{ delta: { content: 'b' } }] },
      { choices: [{ finish_reason: 'stop' }] },
      { choices: [], usage: { prompt_tokens: 7, prompt_tokens_details: { cached_tokens: 3 } } },
    ]);
  });

  it('speaks the events of the Messages API, thinking and tool input in pieces', async () => {
    const server = await serve([
      { thinking: 'hm', signature: 'sig', text: 'x', toolCalls: [{ name: 'ls', args: { path: '.' } }] },
    ]);
    const events = dataOf(await (await post(server, '/v1/messages')).text());
    expect(events.map((event) => (event as { type: string }).type)).toEqual([
      'message_start',
      'ping',
      'content_block_start',
      'content_block_delta',
      'content_block_delta',
      'content_block_stop',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'content_block_start',
      'content_block_delta',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
    expect(events).toContainEqual(
      expect.objectContaining({ delta: { type: 'signature_delta', signature: 'sig' } }),
    );
    expect(events.at(-2)).toMatchObject({ delta: { stop_reason: 'tool_use' } });
  });

  it('records path, headers, body and size of each request', async () => {
    const server = await serve([{ text: 'a' }]);
    await (await post(server, '/v1/messages')).text();
    expect(server.requests).toMatchObject([
      {
        method: 'POST',
        path: '/v1/messages',
        format: 'anthropic',
        headers: { 'x-api-key': 'k' },
        body: { model: 'some-model' },
        bytes: 50,
      },
    ]);
    expect(await server.requests[0]?.disconnected).toBe(false);
  });

  it('fails at the end of the script, or repeats the last reply on request', async () => {
    const failing = await serve([]);
    expect((await post(failing, '/v1/chat/completions')).status).toBe(500);
    await failing.close();
    const repeating = await serve([{ text: 'again' }], { atEnd: 'repeat-last' });
    for (const _ of [1, 2]) {
      expect(await (await post(repeating, '/v1/chat/completions')).text()).toContain('again');
    }
  });

  it('asks a handler for each reply and shows it the parsed request', async () => {
    const server = await serve((request, index) => ({ text: `${request.format} ${index}` }));
    expect(await (await post(server, '/v1/chat/completions')).text()).toContain('openai 0');
    expect(await (await post(server, '/v1/messages')).text()).toContain('anthropic 1');
  });

  it('cuts the body after the given bytes', async () => {
    const server = await serve([{ text: 'a', cut: { afterBytes: 20 } }]);
    const response = await post(server, '/v1/chat/completions');
    const reader = response.body?.getReader();
    const first = await reader?.read();
    expect(first?.value?.length).toBe(20);
    await expect(reader?.read()).rejects.toThrow();
  });

  it('sends the same bytes however they are split', async () => {
    const plain = { text: 'grüße 🦀' };
    const server = await serve([plain, { ...plain, split: { everyBytes: 1 } }, { ...plain, split: [3, 90] }]);
    const bodies: string[] = [];
    for (const _ of [1, 2, 3]) bodies.push(await (await post(server, '/v1/chat/completions')).text());
    expect(new Set(bodies).size).toBe(1);
  });

  it('notices that a client left a stalled stream', async () => {
    const server = await serve([{ stall: 'keep-alive-only' }]);
    const abort = new AbortController();
    const response = await post(server, '/v1/chat/completions', abort.signal);
    await response.body?.getReader().read();
    abort.abort();
    expect(await server.requests[0]?.disconnected).toBe(true);
  });

  it('ends stalled exchanges when it is closed', async () => {
    const server = await serve([{ stall: 'before-first-byte' }]);
    const pending = post(server, '/v1/chat/completions').catch(() => 'ended');
    while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await server.close();
    expect(await pending).toBe('ended');
  });

  it('repeats a prepared delta the number of times asked for', async () => {
    const server = await serve([{ repeat: { text: 'tok', count: 1001, perWrite: 50 } }]);
    const body = await (await post(server, '/v1/chat/completions')).text();
    expect(body.split('"content":"tok"').length - 1).toBe(1001);
    expect(body).toContain('"finish_reason":"stop"');
  });

  it('lists a model', async () => {
    const server = await serve([]);
    const response = await fetch(`${server.url}/v1/models`);
    expect(await response.json()).toMatchObject({ object: 'list', data: [{ id: 'scripted' }] });
  });
});
