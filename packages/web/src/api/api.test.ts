import { ClientService } from '@bulkhead/protocol/client';
import { describe, expect, it } from 'vitest';
import { Api } from './api.ts';
import { errorText } from './api-error.ts';

const { cancelRun, deleteSession, listSessions, watch, decideApproval } = ClientService.method;

/** A door that gives these answers in turn; a string is the text of a body. */
function stage(...answers: readonly (Response | Error | string)[]) {
  const asked: { readonly url: string; readonly init: RequestInit | undefined }[] = [];
  const refused: string[] = [];
  const left = [...answers];
  const api = new Api({
    fetch: async (url, init) => {
      asked.push({ url: String(url), init });
      const answer = left.shift() ?? '{}';
      if (answer instanceof Error) throw answer;
      return typeof answer === 'string' ? new Response(answer) : answer;
    },
    onRefused: () => refused.push('refused'),
  });
  return { api, asked, refused };
}

const failed = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });
const ERROR = { error: { code: 'busy', message: 'A run is active.', fix: 'Wait.' } };

async function failureOf(action: Promise<unknown>) {
  const error: unknown = await action.then(
    () => new Error('no failure'),
    (cause: unknown) => cause,
  );
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return { code, text: errorText(error) };
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe('calls of the browser', () => {
  it('send the cookie, the type of a change, and a body where the route has one', async () => {
    const { api, asked, refused } = stage('{"cancelled":true}', '{"sessions":[]}');
    expect((await api.call(cancelRun, { sessionId: 's/1', messageId: 'm' })).cancelled).toBe(true);
    expect((await api.call(listSessions, { limit: 3 })).sessions).toEqual([]);
    await api.call(deleteSession, { sessionId: 's' });
    const common = { credentials: 'same-origin', cache: 'no-store' };
    const headers = { 'content-type': 'application/json' };
    expect(asked).toEqual([
      {
        url: '/api/v1/sessions/s%2F1/cancel',
        init: { ...common, method: 'POST', headers, body: '{"messageId":"m"}' },
      },
      { url: '/api/v1/sessions?limit=3', init: { ...common, method: 'GET' } },
      { url: '/api/v1/sessions/s', init: { ...common, method: 'DELETE', headers } },
    ]);
    expect(refused).toEqual([]);
  });

  it('fail with the code, text and remedy of the engine', async () => {
    const { api, refused } = stage(failed(409, ERROR), failed(409, { error: { code: 7, message: null } }));
    expect(await failureOf(api.call(cancelRun, { sessionId: 's' }))).toEqual({
      code: 'busy',
      text: 'A run is active. Wait.',
    });
    expect(await failureOf(api.call(cancelRun, { sessionId: 's' }))).toEqual({
      code: 'internal',
      text: 'It failed.',
    });
    expect(refused).toEqual([]);
  });

  it.each([
    ['no JSON', new Response('<html>', { status: 502 })],
    ['no object', failed(502, 'error')],
    ['a list', failed(502, [ERROR])],
    ['null', failed(502, null)],
    ['no error', failed(502, { error: null })],
    ['a list of errors', failed(502, { error: [] })],
  ])('fail by the status where the body is %s', async (_what, response) => {
    const { api } = stage(response);
    const expected = { code: 'internal', text: 'The engine answered 502.' };
    expect(await failureOf(api.call(cancelRun, { sessionId: 's' }))).toEqual(expected);
  });

  it('say that the engine does not answer', async () => {
    const { api, refused } = stage(new TypeError('fetch failed'));
    expect(await failureOf(api.call(cancelRun, { sessionId: 's' }))).toEqual({
      code: 'unreachable',
      text: 'The engine does not answer. Is it running? bulkhead start',
    });
    expect(refused).toEqual([]);
  });

  it('refuse a method without a route before anything is sent', async () => {
    const { api, asked } = stage();
    const method = { ...decideApproval, localName: 'none' };
    expect(await failureOf(api.call(method, {}))).toMatchObject({ code: 'not_available' });
    expect(asked).toEqual([]);
  });

  it('report a refused login, and not one that a person is just trying', async () => {
    const error = { error: { code: 'unauthenticated', message: 'No.' } };
    const { api, asked, refused } = stage(failed(401, error), failed(401, error), '{}', '{}');
    expect(await failureOf(api.logIn('code'))).toEqual({ code: 'unauthenticated', text: 'No.' });
    expect(refused).toEqual([]);
    expect(await failureOf(api.call(cancelRun, { sessionId: 's' }))).toMatchObject({ text: 'No.' });
    expect(refused).toEqual(['refused']);
    await api.logIn('other');
    await api.logOut();
    expect(asked.slice(2).map(({ url, init }) => [url, init?.method, init?.body])).toEqual([
      ['/api/v1/login', 'POST', '{"code":"other"}'],
      ['/api/v1/logout', 'POST', '{}'],
    ]);
  });
});

describe('a stream', () => {
  const lines = '{"seq":"1","json":"{}"}\n{"seq":"2","json":"{}"}\n';

  it('gives its messages in order, also an unfinished last line', async () => {
    for (const body of [lines, lines.trimEnd(), `\n${lines}`]) {
      const { api, asked } = stage(body);
      const got = await all(api.stream(watch, { sessionId: 's', afterSeq: 4, follow: true }));
      expect(got.map(({ seq }) => Number(seq))).toEqual([1, 2]);
      expect(asked).toMatchObject([{ init: { method: 'GET' } }]);
    }
    expect(await all(stage(new Response(null)).api.stream(watch, {}))).toEqual([]);
  });

  it('fails after the messages before the failure, or at once', async () => {
    const { api } = stage(`${lines}${JSON.stringify(ERROR)}\n${lines}`, failed(409, ERROR));
    const seen: number[] = [];
    const reading = async () => {
      for await (const { seq } of api.stream(watch, { sessionId: 's' })) seen.push(Number(seq));
    };
    expect(await failureOf(reading())).toEqual({ code: 'busy', text: 'A run is active. Wait.' });
    expect(seen).toEqual([1, 2]);
    expect(await failureOf(reading())).toMatchObject({ code: 'busy' });
    expect(seen).toEqual([1, 2]);
  });

  it('ends its connection when the reader leaves', async () => {
    let cancelled = false;
    const source = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (control) => control.enqueue(new TextEncoder().encode(lines)),
      cancel: () => {
        cancelled = true;
      },
    });
    const { api } = stage(new Response(source));
    for await (const _message of api.stream(watch, { sessionId: 's' })) break;
    await expect.poll(() => cancelled).toBe(true);
  });
});
