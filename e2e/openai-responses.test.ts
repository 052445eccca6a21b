import type { ScriptHandler } from '@bulkhead/testkit';
import type OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { allOf } from './support/all-of.ts';
import { openAiDoor } from './support/openai-door.ts';
import { counting, WEATHER_RESPONSES, weatherModel } from './support/openai-models.ts';
import { OFFLINE_TITLES } from './support/stage.ts';
import { useSharedStage } from './support/use-stage.ts';

const stage = useSharedStage();

async function answering(script: ScriptHandler) {
  const server = await stage().model(script, { models: OFFLINE_TITLES });
  return { server, door: await openAiDoor(stage()) };
}

/** The calls that an answer hands out. */
function callsOf(response: OpenAI.Responses.Response) {
  return response.output.filter((item) => item.type === 'function_call');
}

describe('responses, with the official client', () => {
  it('answers at once, with usage [I4]', async () => {
    const { door } = await answering(() => ({
      text: 'good day',
      usage: { input: 12, output: 3, cached: 4 },
    }));
    const response = await door
      .client()
      .responses.create({ model: 'bulkhead', input: 'hello', instructions: 'be kind' });
    expect(response).toMatchObject({
      object: 'response',
      status: 'completed',
      model: 'openai-compatible/m',
      output_text: 'good day',
      usage: {
        input_tokens: 12,
        output_tokens: 3,
        total_tokens: 15,
        input_tokens_details: { cached_tokens: 4 },
      },
    });
  });

  it('answers by typed events, each with its number, the last with the whole answer [I4]', async () => {
    const { door } = await answering(() => ({ text: ['good ', 'day'] }));
    const stream = await door.client().responses.create({ model: 'bulkhead', input: 'hello', stream: true });
    const events = await allOf(stream);
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_event, at) => at));
    const types = events.map(({ type }) => type);
    expect(types.filter((type) => type !== 'response.output_text.delta')).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
    const text = events.flatMap((event) =>
      event.type === 'response.output_text.delta' ? [event.delta] : [],
    );
    expect(text.join('')).toBe('good day');
    expect(events.at(-1)).toMatchObject({
      response: { status: 'completed', usage: { output_tokens: expect.any(Number) } },
    });
  });

  it('goes on from an answer, and only from one of the same program [I4] [FT39]', async () => {
    const { door } = await answering(counting);
    const client = door.client();
    const first = await client.responses.create({ model: 'bulkhead', input: 'one' });
    const second = await client.responses.create({
      model: 'bulkhead',
      input: 'two',
      previous_response_id: first.id,
    });
    expect(second).toMatchObject({ output_text: '3: two', previous_response_id: first.id });
    const other = door.client(await door.program('bob')).responses;
    await expect(
      other.create({ model: 'bulkhead', input: 'three', previous_response_id: first.id }),
    ).rejects.toMatchObject({
      status: 400,
      code: 'previous_response_not_found',
      param: 'previous_response_id',
    });
    const unkept = await client.responses.create({ model: 'bulkhead', input: 'one', store: false });
    await expect(
      client.responses.create({ model: 'bulkhead', input: 'two', previous_response_id: unkept.id }),
    ).rejects.toMatchObject({ status: 400 });
  });

  it('goes on from the last answer that was given, also after one that failed [I4]', async () => {
    const { door } = await answering((request) =>
      request.bodyText.includes('xyzzy') ? { error: { status: 400, message: 'no' } } : counting(request, 0),
    );
    const ask = (input: string, previous?: string) =>
      door.client().responses.create({
        model: 'bulkhead',
        input,
        ...(previous === undefined ? {} : { previous_response_id: previous }),
      });
    const first = await ask('one');
    await expect(ask('xyzzy', first.id)).rejects.toMatchObject({ status: 502 });
    const second = await ask('two', first.id);
    expect(second.output_text).toBe('3: two');
    // From an earlier one in a fork, in which nothing of what came after it was said; the session itself goes on as it was.
    const forked = await ask('again', first.id);
    expect(forked.output_text).toBe('3: again');
    expect((await ask('and on', forked.id)).output_text).toBe('5: and on');
    expect((await ask('three', second.id)).output_text).toBe('5: three');
    expect((await ask('again', second.id)).output_text).toBe('5: again');
  });

  it('of a program are forked into a session of that program, and by no other one [I4] [FT39]', async () => {
    const { door } = await answering(counting);
    const client = door.client(await door.program('ada'));
    const ask = (input: string, previous?: string) =>
      client.responses
        .create({ model: 'bulkhead', input, previous_response_id: previous ?? null })
        .withResponse();
    const { data: first, response } = await ask('one');
    await ask('two', first.id);
    const { data: forked, response: other } = await ask('else', first.id);
    expect(forked.output_text).toBe('3: else');
    const session = other.headers.get('x-bulkhead-session') ?? '';
    expect(session).not.toBe(response.headers.get('x-bulkhead-session'));
    using engine = await stage().client();
    const info = (await engine.call('listSessions', {})).sessions.find(
      ({ sessionId }) => sessionId === session,
    );
    expect(info).toMatchObject({ title: 'ada: else', workingFolder: `${stage().layout.root}-work/ada` });
    const others = door.client(await door.program('eve')).responses;
    const stolen = others.create({ model: 'bulkhead', input: 'x', previous_response_id: first.id });
    await expect(stolen).rejects.toMatchObject({ code: 'previous_response_not_found' });
  });

  it.each([true, false])(
    'hands calls of tools out, and the same run goes on with their results: streamed %s [I4]',
    async (streamed) => {
      const { server, door } = await answering(weatherModel('Oslo', 'Rome'));
      const client = door.client();
      const ask = async (input: OpenAI.Responses.ResponseInput, previous?: string) => {
        const request = {
          model: 'bulkhead',
          input,
          tools: [WEATHER_RESPONSES],
          ...(previous === undefined ? {} : { previous_response_id: previous }),
        };
        return streamed
          ? await client.responses.stream(request).finalResponse()
          : await client.responses.create(request);
      };
      const first = await ask([{ role: 'user', content: 'hello' }]);
      expect(first.output.map(({ type }) => type)).toEqual(['message', 'function_call', 'function_call']);
      expect(callsOf(first).map(({ name, arguments: args }) => [name, args])).toEqual([
        ['get_weather', '{"city":"Oslo"}'],
        ['get_weather', '{"city":"Rome"}'],
      ]);
      const outputs = callsOf(first).map(({ call_id }, at) => ({
        type: 'function_call_output' as const,
        call_id,
        output: at === 0 ? 'rain' : 'sun',
      }));
      const second = await ask(outputs, first.id);
      expect(second.output_text).toBe('told: rain, sun');
      expect(server.requests).toHaveLength(2);
    },
  );

  it('that fail in a stream end with that [I4]', async () => {
    await stage().model(
      () => ({
        text: Array.from({ length: 20 }, (_, at) => `A line of words, number ${at}.\n`),
        chunkDelayMs: 40,
        errorEvent: { afterChunks: 12, body: { error: { message: 'gone', type: 'invalid_request_error' } } },
      }),
      { models: OFFLINE_TITLES, retry: '{ enabled: false }' },
    );
    const door = await openAiDoor(stage());
    const stream = await door.client().responses.create({ model: 'bulkhead', input: 'hello', stream: true });
    const events = await allOf(stream);
    expect(events.at(-1)).toMatchObject({
      type: 'response.failed',
      response: { status: 'failed', error: { code: 'provider_error' } },
    });
  });
});
