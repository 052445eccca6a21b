import type { Script } from '@bulkhead/testkit';
import { describe, expect, it } from 'vitest';
import { grammarProblems } from './support/event-grammar.ts';
import { parseEventLine, settledOf } from './support/event-lines.ts';
import { until } from './support/until.ts';
import { useSharedStage } from './support/use-stage.ts';
import { framesOf, openOf, serveWeb } from './support/web-client.ts';

const stage = useSharedStage();
const served = (script: Script) => serveWeb(stage(), script);

describe('the same commands over HTTP', () => {
  it('take a message from its beginning to a stored answer, as gRPC does [I4, P7]', async () => {
    const web = await served([{ text: 'by way of HTTP' }]);
    const session = await web.session();
    const socket = web.socket(`?session=${session}`);
    const frames = framesOf(socket);
    await openOf(socket);
    await web.send(session, 'm', 'go');
    await until('idle', () => frames.some((frame) => frame.includes('"type":"idle"')));
    const events = frames.map(parseEventLine);
    expect(grammarProblems(events)).toEqual([]);
    expect(settledOf(events)).toMatchObject({ message: 'm', outcome: 'completed', answer: 'by way of HTTP' });
    const { text } = await web.raw(`/api/v1/sessions/${session}/events`, { headers: web.bearer });
    const durable = events.filter(({ ephemeral }) => ephemeral !== true);
    expect(text.trimEnd().split('\n').map(parseEventLine).slice(0, durable.length)).toEqual(durable);
    const { sessions } = await web.call('GET', '/sessions');
    expect(sessions).toEqual([expect.objectContaining({ sessionId: session, messages: 2 })]);
    socket.close();
  });

  it('answer what can be asked for without naming anything, and refuse with the errors of gRPC [I4]', async () => {
    const web = await served([]);
    const document = JSON.parse((await web.raw('/openapi.json', { headers: web.bearer })).text);
    const plain = Object.entries<Record<string, unknown>>(document.paths)
      .filter(([path, item]) => path.startsWith('/api/v1/') && !path.includes('{') && 'get' in item)
      .map(([path]) => path)
      .filter((path) => !/stream|inspect|search|context/.test(path));
    expect(plain.length).toBeGreaterThan(10);
    for (const path of plain)
      expect([path, (await web.raw(path, { headers: web.bearer })).status]).toEqual([path, 200]);
    using client = await stage().client();
    const missing = [
      [
        () => client.call('setTitle', { sessionId: 'no', title: 't' }),
        'PUT',
        '/sessions/no/title',
        { title: 't' },
        404,
      ],
      [
        () => client.call('inspectFolder', { folder: 'relative' }),
        'GET',
        '/trust/inspect?folder=relative',
        undefined,
        400,
      ],
      [() => client.call('readContext', { sessionId: 'no' }), 'GET', '/context?sessionId=no', undefined, 404],
      [() => client.stream('watch', { sessionId: '*' }).next(), 'GET', '/sessions/*/events', undefined, 400],
    ] as const;
    for (const [call, method, path, body, status] of missing) {
      const { code, message, fix } = await call().then(
        () => expect.unreachable(),
        (error) => error,
      );
      const answer = await web.raw(`/api/v1${path}`, {
        method,
        headers: { ...web.bearer, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      expect([path, answer.status]).toEqual([path, status]);
      const error = { code, message, ...(fix === undefined ? {} : { fix }) };
      expect(JSON.parse(answer.text)).toEqual({ error });
    }
  });
});
