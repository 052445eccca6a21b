import { basename } from 'node:path';
import type { ScriptHandler } from '@bulkhead/testkit';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { openAiDoor } from './support/openai-door.ts';
import { counting, WEATHER, WEATHER_RESPONSES, weatherModel } from './support/openai-models.ts';
import { OFFLINE_TITLES } from './support/stage.ts';
import { until } from './support/until.ts';
import { useSharedStage } from './support/use-stage.ts';

const stage = useSharedStage();

async function answering(script: ScriptHandler) {
  const server = await stage().model(script, { models: OFFLINE_TITLES });
  const door = await openAiDoor(stage());
  const before = await sessions();
  return { server, door, made: async () => (await sessions()) - before };
}

const asking = (content: string) => ({ model: 'bulkhead', messages: [{ role: 'user' as const, content }] });
/** Keys of one caller: each test has its own. */
const key = (name: string) => ({ headers: { 'Idempotency-Key': `${basename(stage().folder)}-${name}` } });
const sessions = async () => {
  using client = await stage().client();
  return (await client.call('listSessions', {})).sessions.length;
};

/** Slow enough to be left in its middle. */
const slowly: ScriptHandler = () => ({
  text: Array.from({ length: 30 }, (_, at) => `A line of words, number ${at}.\n`),
  chunkDelayMs: 60,
});

describe('a request with an idempotency key', () => {
  it('is run once: the same key gives the same answer, also after a restart, to its caller alone [I4]', async () => {
    const { server, door, made } = await answering(counting);
    const client = door.client();
    const first = await client.chat.completions.create(asking('hello'), key('k1'));
    const { data: second, response } = await client.chat.completions
      .create(asking('hello'), key('k1'))
      .withResponse();
    expect(second).toEqual(first);
    expect(response.headers.get('x-bulkhead-replayed')).toBe('true');
    await stage().cli(['restart']);
    const again = (await openAiDoor(stage())).client();
    expect(await again.chat.completions.create(asking('hello'), key('k1'))).toEqual(first);
    expect([server.requests.length, await made()]).toEqual([1, 1]);
    // A key is for its request.
    const other = again.chat.completions.create(asking('something else'), key('k1'));
    await expect(other).rejects.toMatchObject({ status: 422, code: 'idempotency_key_reused' });
    const program = (await openAiDoor(stage())).client(await door.program('ada'));
    const own = await program.chat.completions.create(asking('hello'), key('k1'));
    expect([own.id === first.id, server.requests.length]).toEqual([false, 2]);
  });

  it('that comes ten times at once runs once, streamed and not [I4]', async () => {
    const { server, door, made } = await answering(slowly);
    const ask = () => door.client().chat.completions.create(asking('hello'), key('k'));
    const all = await Promise.all(Array.from({ length: 10 }, ask));
    expect(new Set(all.map((one) => JSON.stringify(one))).size).toBe(1);
    const streams = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const stream = door.client().chat.completions.stream(asking('again'), key('s'));
        return await stream.finalContent();
      }),
    );
    expect(new Set(streams)).toEqual(new Set([all[0]?.choices[0]?.message.content]));
    expect([server.requests.length, await made()]).toEqual([2, 2]);
  });

  it('goes on when its program is cut off, and the official client gets the answer when it tries again [I4]', async () => {
    const { server, door, made } = await answering(slowly);
    let sent = 0;
    // The line is cut under the first try; the client sends the request again automatically.
    const client = new OpenAI({
      baseURL: `${door.address}/v1`,
      apiKey: door.owner,
      maxRetries: 2,
      fetch: async (url, init) => {
        sent += 1;
        if (sent > 1) return await fetch(url, init);
        const left = new AbortController();
        const cut = fetch(url, { ...init, signal: left.signal });
        await until('it runs', () => server.requests.length === 1);
        left.abort();
        return await cut;
      },
    });
    const completion = await client.chat.completions.create(asking('hello'), key('k'));
    expect(completion.choices[0]?.message.content).toContain('number 29.');
    expect([sent, server.requests.length, await made()]).toEqual([2, 1, 1]);
  });

  it('goes on when a program leaves its stream, and is there in whole for the next one [I4]', async () => {
    const { server, door, made } = await answering(slowly);
    const client = door.client();
    const stream = await client.chat.completions.create({ ...asking('hello'), stream: true }, key('k'));
    for await (const chunk of stream) {
      if ((chunk.choices[0]?.delta.content ?? '') !== '') break;
    }
    const again = client.chat.completions.stream({ ...asking('hello') }, key('k'));
    const content = (await again.finalContent()) ?? '';
    expect(content.match(/A line of words/g)).toHaveLength(30);
    expect([server.requests.length, await made()]).toEqual([1, 1]);
  });

  it('goes on after the engine was killed in its middle, and runs once [I4] [T2]', async () => {
    const { door, made } = await answering(slowly);
    const lost = door.client().chat.completions.create(asking('hello'), key('k'));
    const failed = lost.catch(() => 'lost');
    await until('it runs', async () => (await made()) === 1);
    await stage().killEngine();
    expect(await failed).toBe('lost');
    const again = (await openAiDoor(stage())).client();
    const completion = await again.chat.completions.create(asking('hello'), key('k'));
    expect(completion.choices[0]?.message.content).toContain('number 29.');
    expect(await again.chat.completions.create(asking('hello'), key('k'))).toEqual(completion);
    expect(await made()).toBe(1);
  });

  it('that ended with calls ends with the same ones, before and after they were answered [I4]', async () => {
    const { server, door } = await answering(weatherModel('Oslo', 'Rome'));
    const client = door.client();
    const body = { ...asking('hello'), tools: [WEATHER] };
    const first = await client.chat.completions.create(body, key('k1'));
    expect(await client.chat.completions.create(body, key('k1'))).toEqual(first);
    const message = first.choices[0]?.message;
    const calls = (message?.tool_calls ?? []).filter((call) => call.type === 'function');
    expect(calls).toHaveLength(2);
    const results = calls.map(({ id }) => ({ role: 'tool' as const, tool_call_id: id, content: 'rain' }));
    const next = {
      ...body,
      messages: [...body.messages, { role: 'assistant' as const, tool_calls: calls }, ...results],
    };
    const second = await client.chat.completions.create(next, key('k2'));
    expect(second.choices[0]?.message.content).toBe('told: rain, rain');
    expect(await client.chat.completions.create(next, key('k2'))).toEqual(second);
    expect(await client.chat.completions.create(body, key('k1'))).toEqual(first);
    expect(server.requests).toHaveLength(2);
  });

  it('of a response returns the id that can be continued, and is refused when its session is gone [I4]', async () => {
    const { server, door } = await answering(counting);
    const client = door.client();
    const ask = (input: string, name: string, previous?: string) =>
      client.responses.create(
        { model: 'bulkhead', input, tools: [WEATHER_RESPONSES], previous_response_id: previous ?? null },
        key(name),
      );
    const first = await ask('one', 'a');
    const second = await ask('two', 'b', first.id);
    // Sent again after the session has gone on.
    expect((await ask('one', 'a')).id).toBe(first.id);
    expect((await ask('two', 'b', first.id)).output_text).toBe(second.output_text);
    expect((await ask('three', 'c', second.id)).output_text).toBe('5: three');
    expect(server.requests).toHaveLength(3);
    using engine = await stage().client();
    const [session] = (await engine.call('listSessions', {})).sessions;
    await engine.call('deleteSession', { sessionId: session?.sessionId ?? '' });
    await expect(ask('one', 'a')).rejects.toMatchObject({ status: 409, code: 'answer_gone' });
    await expect(client.chat.completions.create(asking('x'), key('a b'))).rejects.toMatchObject({
      status: 400,
    });
  });
});
