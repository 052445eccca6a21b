import { expect, it } from 'vitest';
import { openAiDoor } from './support/openai-door.ts';
import { counting, WEATHER } from './support/openai-models.ts';
import { OFFLINE_TITLES } from './support/stage.ts';
import { useSharedStage } from './support/use-stage.ts';

const stage = useSharedStage();

const CHAT = '/v1/chat/completions';
const USER = { role: 'user', content: 'hi' };
const chat = (fields: object) => ({ model: 'bulkhead', messages: [USER], ...fields });
const tool = (name: string, parameters: unknown) => ({ type: 'function', function: { name, parameters } });
const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

interface Tried {
  readonly status: number;
  readonly path?: string;
  readonly body?: unknown;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Requests of a program that does not know the API, or that attacks it. */
const TRIES: Readonly<Record<string, Tried>> = {
  'no body': { status: 400, body: '' },
  'no JSON': { status: 400, body: '{"model":' },
  'a list': { status: 400, body: [] },
  'another type': {
    status: 415,
    body: 'model=x',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  },
  'a compressed body': { status: 415, body: chat({}), headers: { 'content-encoding': 'gzip' } },
  'a body of 25 MB': { status: 413, body: chat({ user: 'x'.repeat(25 * 1024 * 1024) }) },
  'an address that is none': { status: 404, path: '/v1/completions', body: chat({}) },
  'an address above': { status: 405, path: '/v1/../../etc/passwd', body: chat({}) },
  'a GET': { status: 404, method: 'GET' },
  'no token': { status: 401, body: chat({}), headers: { authorization: '' } },
  'a page of another origin': { status: 403, body: chat({}), headers: { origin: 'https://evil.example' } },
  'a message of a million characters too many': {
    status: 400,
    body: chat({ messages: [{ ...USER, content: 'x'.repeat(1_000_001) }] }),
  },
  'an empty message': { status: 400, body: chat({ messages: [{ ...USER, content: '  ' }] }) },
  'three thousand messages': {
    status: 400,
    body: chat({
      messages: Array.from({ length: 3_001 }, (_, at) =>
        at % 2 === 0 ? USER : { role: 'assistant', content: 'x' },
      ),
    }),
  },
  'a session without a name': { status: 400, body: chat({ user: '' }) },
  'a session with a name that hides': { status: 400, body: chat({ user: '\u0001last x' }) },
  'a session with a giant name': { status: 400, body: chat({ user: 'x'.repeat(257) }) },
  'two hundred tools': {
    status: 400,
    body: chat({ tools: Array.from({ length: 200 }, (_, at) => tool(`t${at}`, {})) }),
  },
  'a tool twice': { status: 400, body: chat({ tools: [tool('a', {}), tool('a', {})] }) },
  'a tool with a monstrous schema': {
    status: 400,
    body: `{"model":"bulkhead","messages":[{"role":"user","content":"hi"}],"tools":[{"type":"function","function":{"name":"a","parameters":${nested(5_000)}}}]}`,
  },
  'a tool of a prototype': { status: 400, body: chat({ tools: [tool('__proto__ x', {})] }) },
  'a schema of a text': { status: 400, body: chat({ tools: [tool('a', { type: 'string' })] }) },
  'an image of somewhere else': {
    status: 400,
    body: chat({
      messages: [{ ...USER, content: [{ type: 'image_url', image_url: { url: 'file:///etc/passwd' } }] }],
    }),
  },
  'an image that is none': {
    status: 400,
    body: chat({
      messages: [
        { ...USER, content: [{ type: 'image_url', image_url: { url: 'data:image/svg;base64,AAAA' } }] },
      ],
    }),
  },
  'results that nobody waits for, in a session that is there': {
    status: 400,
    body: chat({ user: 'there', messages: [{ role: 'tool', tool_call_id: 'call_x', content: 'x' }] }),
  },
  'a response that never was': {
    status: 400,
    path: '/v1/responses',
    body: { model: 'bulkhead', input: 'x', previous_response_id: 'resp_x' },
  },
  'a model that is a path': { status: 404, body: chat({ model: '../../etc' }) },
  'a folder of the machine': { status: 400, body: chat({}), headers: { 'x-bulkhead-folder': '/' } },
  'a folder of the product': { status: 400, body: chat({}), headers: { 'x-bulkhead-folder': '{home}' } },
};

it('a program that violates the API receives an error in its format, nothing runs, and the next request is served [I4] [FT46] [FT39]', {
  timeout: 360_000,
}, async () => {
  const server = await stage().model(counting, { models: OFFLINE_TITLES });
  const { address, owner, client } = await openAiDoor(stage());
  const say = (fields: object) =>
    client().chat.completions.create({
      model: 'bulkhead',
      messages: [{ role: 'user', content: 'hi' }],
      ...fields,
    });
  await say({ user: 'there' });
  const asked = server.requests.length;
  const seen: Record<string, unknown> = {};
  for (const [what, { path = CHAT, body, method = 'POST', headers = {} }] of Object.entries(TRIES)) {
    const own = Object.entries(headers).map(
      ([name, value]) => [name, value.replace('{home}', stage().layout.root)] as const,
    );
    const response = await fetch(`${address}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${owner}`,
        'content-type': 'application/json',
        ...Object.fromEntries(own),
      },
      ...(method === 'GET' ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const error: unknown = path.startsWith('/v1/..') ? undefined : JSON.parse(text).error;
    if (error !== undefined) {
      expect(error, what).toMatchObject({ message: expect.any(String), type: expect.any(String) });
    }
    expect(text, what).not.toContain('at file:');
    seen[what] = response.status;
  }
  expect(seen).toEqual(Object.fromEntries(Object.entries(TRIES).map(([what, { status }]) => [what, status])));
  expect(server.requests).toHaveLength(asked);
  const good = await say({ tools: [WEATHER] });
  expect(good.choices[0]?.message.content).toBe('1: hi');
});
