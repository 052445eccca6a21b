import type { ScriptHandler } from '@bulkhead/testkit';
import type OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { allOf } from './support/all-of.ts';
import { openAiDoor } from './support/openai-door.ts';
import { counting, WEATHER, weatherModel } from './support/openai-models.ts';
import { OFFLINE_TITLES } from './support/stage.ts';
import { until } from './support/until.ts';
import { useSharedStage } from './support/use-stage.ts';
import { offeredTools } from './support/wire-history.ts';

const stage = useSharedStage();

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** More than what is held back to look for secrets in it. */
const LINES = Array.from({ length: 20 }, (_, at) => `A line of words, number ${at}.\n`);

type Message = OpenAI.ChatCompletionMessageParam;

const user = (content: string): Message => ({ role: 'user', content });

async function answering(script: ScriptHandler) {
  const server = await stage().model(script, { models: OFFLINE_TITLES });
  return { server, door: await openAiDoor(stage()) };
}

/** The calls that an answer hands out. */
function callsOf(message: OpenAI.ChatCompletionMessage | undefined) {
  return (message?.tool_calls ?? []).filter((call) => call.type === 'function');
}

/** Results that the program returns: one text for each call. */
function resultsOf(
  message: OpenAI.ChatCompletionMessage | undefined,
  ...texts: readonly string[]
): Message[] {
  return callsOf(message).map(({ id }, at) => ({ role: 'tool', tool_call_id: id, content: texts[at] ?? '' }));
}

describe('chat completions, with the official client', () => {
  it('ends before a text of `stop`, and the run with it: no later round follows [I4]', async () => {
    const { server, door } = await answering(() => ({ text: ['one E', 'ND two', ' three'] }));
    const request = { model: 'bulkhead', messages: [user('count')], stop: ['END'] };
    const at = await door.client().chat.completions.create(request);
    expect(at.choices).toMatchObject([{ message: { content: 'one ' }, finish_reason: 'stop' }]);
    const pieces: string[] = [];
    for await (const { choices } of await door.client().chat.completions.create({ ...request, stream: true }))
      pieces.push(choices[0]?.delta.content ?? '');
    expect(pieces.join('')).toBe('one ');
    await until('both runs are over', () => stage().isQuiet());
    expect(server.requests.filter(({ format }) => format !== 'models')).toHaveLength(2);
  });

  it('answers at once, with usage [I4]', async () => {
    const { door } = await answering(() => ({
      text: 'good day',
      usage: { input: 12, output: 3, cached: 4 },
    }));
    const completion = await door
      .client()
      .chat.completions.create({ model: 'bulkhead', messages: [user('hello')] });
    expect(completion).toMatchObject({
      object: 'chat.completion',
      model: 'openai-compatible/m',
      choices: [{ index: 0, message: { role: 'assistant', content: 'good day' }, finish_reason: 'stop' }],
      usage: {
        prompt_tokens: 12,
        completion_tokens: 3,
        total_tokens: 15,
        prompt_tokens_details: { cached_tokens: 4 },
      },
    });
  });

  it('answers piece by piece, and ends with the usage where it is asked for [I4]', async () => {
    const { door } = await answering(() => ({ text: ['good ', 'day'], usage: { input: 12, output: 3 } }));
    const stream = await door.client().chat.completions.create({
      model: 'openai-compatible/m',
      messages: [user('hello')],
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks = await allOf(stream);
    const choices = chunks.flatMap((chunk) => chunk.choices);
    expect(choices.map(({ delta }) => delta.content ?? '').join('')).toBe('good day');
    expect(choices.flatMap(({ finish_reason: reason }) => reason ?? [])).toEqual(['stop']);
    expect(choices[0]?.delta.role).toBe('assistant');
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 15 } });
  });

  it('hands calls of tools out, and the same run goes on with their results [I4]', async () => {
    const { server, door } = await answering(weatherModel('Oslo', 'Rome'));
    const ask = (messages: Message[]) =>
      door.client().chat.completions.create({ model: 'bulkhead', messages, tools: [WEATHER] });
    const [first] = (await ask([user('hello')])).choices;
    expect(first).toMatchObject({ finish_reason: 'tool_calls', message: { content: 'Let me look.' } });
    expect(callsOf(first?.message).map((call) => [call.function.name, call.function.arguments])).toEqual([
      ['get_weather', '{"city":"Oslo"}'],
      ['get_weather', '{"city":"Rome"}'],
    ]);
    if (first === undefined) return;
    const [second] = (await ask([user('hello'), first.message, ...resultsOf(first.message, 'rain', 'sun')]))
      .choices;
    expect(second).toMatchObject({ finish_reason: 'stop', message: { content: 'told: rain, sun' } });
    expect(server.requests).toHaveLength(2);
    expect(server.requests.map(offeredTools).every((names) => names.includes('client_get_weather'))).toBe(
      true,
    );
  });

  it('hands them out in a stream, one at a time where the program wants that [I4]', async () => {
    const { server, door } = await answering(weatherModel('Oslo', 'Rome'));
    const streamed = async (messages: Message[]) => {
      const runner = door.client().chat.completions.stream({
        model: 'bulkhead',
        messages,
        tools: [WEATHER],
        parallel_tool_calls: false,
      });
      return (await runner.finalChatCompletion()).choices[0];
    };
    const messages: Message[] = [user('hello')];
    const reasons: (string | undefined)[] = [];
    for (const text of ['rain', 'sun']) {
      const choice = await streamed(messages);
      reasons.push(choice?.finish_reason);
      expect(callsOf(choice?.message)).toHaveLength(1);
      if (choice !== undefined) messages.push(choice.message, ...resultsOf(choice.message, text));
    }
    const last = await streamed(messages);
    expect([...reasons, last?.finish_reason]).toEqual(['tool_calls', 'tool_calls', 'stop']);
    expect(last?.message.content).toBe('told: rain, sun');
    expect(server.requests).toHaveLength(2);
  });

  it('takes the history that comes with a request, system text first, and images [I4]', async () => {
    const { server, door } = await answering(counting);
    const { choices } = await door.client().chat.completions.create({
      model: 'bulkhead',
      messages: [
        { role: 'system', content: 'Speak like a pirate.' },
        user('I am Ada.'),
        { role: 'assistant', content: 'Ahoy, Ada.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } },
          ],
        },
      ],
    });
    expect(choices[0]?.message.content).toBe('4: What is this?');
    const [request] = server.requests;
    expect(request?.bodyText).toContain(PIXEL);
    const body = JSON.parse(request?.bodyText ?? '{}');
    const messages: readonly { readonly role: string; readonly content: unknown }[] = body.messages;
    // Never as our own system prompt.
    expect(JSON.stringify(messages.filter(({ role }) => role === 'system'))).not.toContain('pirate');
    expect(JSON.stringify(messages.filter(({ role }) => role === 'user'))).toContain('pirate');
  });

  it('goes on with results of calls that no one waits for any more, as a conversation of its own [I4]', async () => {
    const { server, door } = await answering(weatherModel('Oslo'));
    const ask = (messages: Message[]) =>
      door.client().chat.completions.create({ model: 'bulkhead', messages, tools: [WEATHER] });
    const [first] = (await ask([user('hello')])).choices;
    if (first === undefined) return;
    await stage().killEngine();
    const again = await openAiDoor(stage());
    const { choices } = await again.client().chat.completions.create({
      model: 'bulkhead',
      messages: [user('hello'), first.message, ...resultsOf(first.message, 'rain')],
      tools: [WEATHER],
    });
    expect(choices[0]?.message.content).toBe('told: rain');
    expect(server.requests.length).toBeGreaterThan(1);
  });

  it('ends the run of a program that leaves [I4]', async () => {
    const { server, door } = await answering(() => ({ text: LINES, stall: { afterChunks: 12 } }));
    const leaving = new AbortController();
    const stream = await door
      .client()
      .chat.completions.create(
        { model: 'bulkhead', messages: [user('hello')], stream: true },
        { signal: leaving.signal },
      );
    for await (const _chunk of stream) break;
    leaving.abort();
    await until('the run is over', async () => (await stage().status()).activeRuns === 0);
    expect(server.requests).toHaveLength(1);
  });

  it('lists its models, and knows no other [I4]', async () => {
    const { door } = await answering(counting);
    const { data } = await door.client().models.list();
    expect(data.map(({ id }) => id)).toEqual(['bulkhead', 'openai-compatible/m']);
    expect((await door.client().models.retrieve('openai-compatible/m')).id).toBe('openai-compatible/m');
    await expect(door.client().models.retrieve('gpt-4o')).rejects.toMatchObject({
      status: 404,
      code: 'model_not_found',
    });
  });
});

describe('an error, with the official client', () => {
  const ask = (client: OpenAI, fields: Partial<OpenAI.ChatCompletionCreateParamsNonStreaming> = {}) =>
    client.chat.completions.create({ model: 'bulkhead', messages: [user('hello')], ...fields });

  it('has the status, the place and the code that programs know [I4]', async () => {
    const { door } = await answering(counting);
    const client = door.client();
    await expect(ask(door.client('wrong'))).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' });
    await expect(ask(client, { model: 'gpt-4o' })).rejects.toMatchObject({
      status: 404,
      code: 'model_not_found',
      param: 'model',
    });
    await expect(ask(client, { n: 2 })).rejects.toMatchObject({
      status: 400,
      type: 'invalid_request_error',
      code: 'unsupported_parameter',
      param: 'n',
    });
    await expect(ask(client, { messages: [] })).rejects.toMatchObject({ status: 400, param: 'messages' });
    const tools = [{ type: 'function', function: { name: 'not a name' } }] as const;
    await expect(ask(client, { tools: [...tools] })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('no name of a client tool'),
    });
    await expect(client.embeddings.create({ model: 'x', input: 'x' })).rejects.toMatchObject({ status: 404 });
  });

  it('of the provider is reported as such, also in a stream [I4]', async () => {
    const { door } = await answering(() => ({
      error: { status: 400, message: 'too long', code: 'context_length_exceeded' },
    }));
    await expect(ask(door.client())).rejects.toMatchObject({ status: 400, code: 'context_length_exceeded' });
    const stream = door
      .client()
      .chat.completions.create({ model: 'bulkhead', messages: [user('hello')], stream: true });
    await expect(stream).rejects.toMatchObject({ status: 400, code: 'context_length_exceeded' });
  });

  it('in the middle of a stream is its last event [I4]', async () => {
    stage().configure('');
    const server = await stage().model(
      () => ({
        text: LINES,
        chunkDelayMs: 40,
        errorEvent: { afterChunks: 12, body: { error: { message: 'gone', type: 'invalid_request_error' } } },
      }),
      { models: OFFLINE_TITLES, retry: '{ enabled: false }' },
    );
    const door = await openAiDoor(stage());
    const response = await door.send('/v1/chat/completions', {
      model: 'bulkhead',
      messages: [user('hello')],
      stream: true,
    });
    const text = await response.text();
    expect(text).toContain('"content":"A line');
    expect(text.trimEnd().split('\n\n').at(-1)).toMatch(/^data: \{"error":\{/);
    expect(text).not.toContain('[DONE]');
    expect(server.requests).toHaveLength(1);
  });
});
