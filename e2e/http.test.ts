import { readdirSync, readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionEvent } from '@bulkhead/protocol';
import { describe, expect, it } from 'vitest';
import { grammarProblems } from './support/event-grammar.ts';
import { ofType, parseEventLine, settledOf } from './support/event-lines.ts';
import { OFFLINE_TITLES } from './support/stage.ts';
import { until } from './support/until.ts';
import { useStage } from './support/use-stage.ts';
import { closeOf, framesOf, openOf, WebClient } from './support/web-client.ts';

const stage = useStage();
const ls = { name: 'ls', args: {} };

/** An engine with a model that answers so, and a client of its door. */
async function served(...script: Parameters<ReturnType<typeof stage>['model']>): Promise<WebClient> {
  await stage().model(script[0], { models: OFFLINE_TITLES, ...script[1] });
  await stage().cli(['start', '--daemon']);
  return await WebClient.of(stage());
}

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
        () => client.setTitle({ sessionId: 'no', title: 't' }),
        'PUT',
        '/sessions/no/title',
        { title: 't' },
        404,
      ],
      [() => client.inspectFolder('relative'), 'GET', '/trust/inspect?folder=relative', undefined, 400],
      [() => client.readContext({ sessionId: 'no' }), 'GET', '/context?sessionId=no', undefined, 404],
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

describe('the door', () => {
  it('takes no foreign host or page, no cookie without our page, and no claim of a right [FT46, FT39, I5]', async () => {
    const web = await served([]);
    const { cookie, origin } = await web.logIn();
    const program = (await stage().cli(['token', 'create', 'p'])).stdout.trim();
    const upgrade = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': `${'x'.repeat(22)}==`,
    };
    const bad: readonly Record<string, string>[] = [
      { ...web.bearer, host: 'evil.example:80' },
      { ...web.bearer, host: web.host.replace('127.0.0.1', 'rebound.example') },
      { ...web.bearer, origin: 'null' },
      { ...web.bearer, origin: 'http://evil.example' },
      { cookie, origin: 'null' },
      { cookie, origin: 'http://evil.example' },
      { cookie, origin: origin.replace('127.0.0.1', 'localhost') },
      { cookie, 'sec-fetch-site': 'same-site' },
      { authorization: `Bearer ${program}` },
      { authorization: `Bearer ${program}`, 'x-scopes': 'owner', 'x-role': 'admin' },
    ];
    for (const headers of bad) {
      expect([headers, (await web.raw('/api/v1/status', { headers })).status]).toEqual([headers, 403]);
      const answer = await web.raw('/api/v1/stream', { headers: { ...headers, ...upgrade } });
      expect([headers, answer.status]).toEqual([headers, 403]);
    }
    expect((await web.raw('/api/v1/stream', { headers: { cookie, ...upgrade } })).status).toBe(403);
    expect((await web.raw('/api/v1/status', { headers: { cookie } })).status).toBe(200);
    const socket = web.socket('', { cookie, origin });
    await openOf(socket);
    socket.close();
  });

  it('looks at ten of ten thousand wrong tokens over a hundred sockets, and serves its owner meanwhile [FT37]', async () => {
    const web = await served([]);
    const known = new Agent({ keepAlive: true, maxSockets: 1 });
    const strangers = new Agent({ keepAlive: true, maxSockets: 100 });
    const owner = () => web.raw('/api/v1/status', { headers: web.bearer, agent: known });
    expect((await owner()).status).toBe(200);
    const counts = new Map<number, number>();
    const guess = async (index: number) => {
      const token = `bulkhead_${String(index).padStart(43, 'x')}`;
      const headers = { authorization: `Bearer ${token}` };
      const { status } = await web.raw('/api/v1/status', { headers, agent: strangers });
      counts.set(status, (counts.get(status) ?? 0) + 1);
    };
    const worker = async (first: number) => {
      for (let index = first; index < 10_000; index += 100) await guess(index);
    };
    const guessing = Promise.all(Array.from({ length: 100 }, (_, first) => worker(first)));
    const statuses: number[] = [];
    for (let count = 0; count < 20; count += 1) {
      statuses.push((await owner()).status);
      await sleep(20);
    }
    await guessing;
    expect([...counts.keys()].toSorted()).toEqual([401, 429]);
    expect(counts.get(401)).toBe(10);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect((await web.raw('/api/v1/status', { headers: web.bearer })).status).toBe(429);
    known.destroy();
    strangers.destroy();
  });

  it('drops what a rotated token has open within a second, and the run goes on [FT38]', async () => {
    const web = await served([{ text: Array.from({ length: 60 }, () => 'and on '), chunkDelayMs: 50 }]);
    const session = await web.session();
    const login = await web.logIn();
    const sockets = [web.socket(`?session=${session}`), web.socket(`?session=${session}`, { ...login })];
    const frames = sockets.map(framesOf);
    await Promise.all(sockets.map(openOf));
    const lines = web
      .raw(`/api/v1/sessions/${session}/events?follow=true`, { headers: web.bearer })
      .catch(() => 'cut');
    await web.send(session, 'm', 'go');
    await until('deltas', () => frames.every((seen) => seen.some((frame) => frame.includes('text_delta'))));
    const closed = Promise.all(sockets.map(closeOf));
    using client = await stage().client();
    const at = performance.now();
    const { token } = await client.rotateAccessToken();
    expect(await closed).toEqual([4401, 4401]);
    expect(await lines).toBe('cut');
    expect(performance.now() - at).toBeLessThan(1_000);
    expect((await web.raw('/api/v1/status', { headers: web.bearer })).status).toBe(401);
    expect((await web.raw('/api/v1/status', { headers: { cookie: login.cookie } })).status).toBe(401);
    const bearer = { authorization: `Bearer ${token}` };
    const path = `/api/v1/sessions/${session}/events`;
    await until(
      'the end of the run',
      async () => (await web.raw(path, { headers: bearer })).text.includes('"idle"'),
      15_000,
    );
  });

  it('serves others while sockets say nothing, or one letter at a time [FT49]', async () => {
    const web = await served([]);
    const [host = '', port = ''] = web.host.split(':');
    const idle: Socket[] = [];
    const open = (text: string) => {
      const socket = connect(Number(port), host);
      socket.on('error', () => {});
      socket.resume();
      socket.on('connect', () => socket.write(text));
      idle.push(socket);
    };
    const partialFrame = web.socket();
    await openOf(partialFrame);
    const times: number[] = [];
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let wave = 0; wave < 50; wave += 1) {
      for (let count = 0; count < 200; count += 1)
        open(['', 'G', 'GET / HTTP/1.1\r\nHost: x\r\nA: ', '\x16\x03'][count % 4] ?? '');
      for (const options of [{ agent }, {}]) {
        const at = performance.now();
        expect((await web.raw('/api/v1/status', { headers: web.bearer, ...options })).status).toBe(200);
        times.push(performance.now() - at);
      }
    }
    times.sort((left, right) => left - right);
    process.stdout.write(
      `10000 idle sockets: others p50 ${times[50]?.toFixed(1)} ms, p95 ${times[95]?.toFixed(1)} ms, worst ${times.at(-1)?.toFixed(1)} ms\n`,
    );
    await until('the idle are gone', () => idle.every(({ destroyed }) => destroyed), 15_000);
    expect(partialFrame.readyState).toBe(WebSocket.OPEN);
    partialFrame.close();
    agent.destroy();
  });

  it('says a plain word to what is too large, and the session lives [FT50]', async () => {
    const web = await served([{ text: 'still here' }]);
    const session = await web.session();
    const json = { ...web.bearer, 'content-type': 'application/json' };
    for (const megabytes of [25, 100]) {
      const body = Buffer.alloc(megabytes * 1024 * 1024, 0x20);
      const { status, text } = await web.raw(`/api/v1/sessions/${session}/messages`, {
        method: 'POST',
        headers: json,
        body,
      });
      expect([megabytes, status, JSON.parse(text).error.code]).toEqual([megabytes, 413, 'usage']);
    }
    for (const bytes of [1024 * 1024 + 1, 16 * 1024 * 1024, 100 * 1024 * 1024]) {
      const socket = web.socket();
      await openOf(socket);
      socket.send('x'.repeat(bytes));
      expect([bytes, await closeOf(socket)]).toEqual([bytes, 1009]);
    }
    using client = await stage().client();
    for (const megabytes of [4, 9, 25, 100]) {
      const content = 'x'.repeat(megabytes * 1024 * 1024);
      const sent = client.sendMessage({ sessionId: session, messageId: `big-${megabytes}`, content });
      await expect(sent).rejects.toMatchObject({ code: 'usage' });
    }
    await web.send(session, 'm', 'go');
    await until('an answer', async () =>
      (await web.raw(`/api/v1/sessions/${session}/events`, { headers: web.bearer })).text.includes(
        'still here',
      ),
    );
  });

  it('writes no secret of its own anywhere, whatever is said and asked [FT51]', async () => {
    const said: { text: string } = { text: '' };
    const web = await served(() => ({ text: ['You said ', said.text] }), { config: '' });
    const program = (await stage().cli(['token', 'create', 'p'])).stdout.trim();
    const { cookie, origin } = await web.logIn();
    const link = (await stage().cli(['token', '--login'])).stdout.trim();
    const code = link.split('#login=')[1] ?? '';
    expect(new URL(link).search + new URL(link).pathname).toBe('/');
    said.text = `${web.token} and ${program}`;
    const session = await web.session();
    const socket = web.socket(`?session=${session}`, { cookie, origin });
    const frames = framesOf(socket);
    await openOf(socket);
    await web.send(session, 'm', 'go');
    await until('idle', () => frames.some((frame) => frame.includes('"type":"idle"')));
    const secrets = [web.token, program, cookie.split('=')[1] ?? '', code];
    for (const secret of secrets) {
      await web.raw(`/api/v1/status?token=${secret}`, {
        headers: { ...web.bearer, referer: `${origin}/?t=${secret}` },
      });
      await web.raw(`/x/${secret}`, { headers: { cookie: `a=${secret}` } });
      await web.raw('/api/v1/status', { headers: { authorization: `Basic ${secret}` } });
    }
    await stage().cli(['token', 'list']);
    await stage().killEngine();
    const places = [...web.answered, ...frames, ...filesOf(stage().layout.root)];
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(40);
      expect(places.filter((text) => text.includes(secret)).map((text) => text.slice(0, 80))).toEqual([]);
    }
    socket.close();
  });
});

describe('the event stream', () => {
  it('cut a hundred times within one answer, ends with every durable event, once and in order [T3]', async () => {
    const step = { text: ['step ', 'by ', 'step'], toolCalls: [ls], chunkDelayMs: 20 };
    const web = await served([...Array.from({ length: 20 }, () => step), { text: 'there' }]);
    const session = await web.session();
    await web.send(session, 'm', 'go');
    const seen: SessionEvent[] = [];
    let cuts = 0;
    while (seen.at(-1)?.type !== 'idle') {
      const after = seen.at(-1)?.seq ?? 0;
      const most = cuts < 100 ? 1 + (cuts % 3) : Number.POSITIVE_INFINITY;
      const frames = await someFrames(web.socket(`?session=${session}&after=${after}`), most);
      seen.push(...frames.filter(({ ephemeral }) => ephemeral !== true));
      cuts += 1;
    }
    expect(cuts).toBeGreaterThan(100);
    const { text } = await web.raw(`/api/v1/sessions/${session}/events`, { headers: web.bearer });
    expect(seen).toEqual(text.trimEnd().split('\n').map(parseEventLine).slice(0, seen.length));
    expect(grammarProblems(seen, { replayed: true })).toEqual([]);
    expect(ofType(seen, 'tool_output')).toHaveLength(20);
  });

  it('gives a hundred clients the same events, and those of all sessions to who asks [T3]', async () => {
    const web = await served(() => ({ text: Array.from({ length: 200 }, () => 'word '), chunkDelayMs: 5 }));
    const session = await web.session();
    const sockets = Array.from({ length: 100 }, () => web.socket(`?session=${session}`));
    const frames = sockets.map(framesOf);
    const all = web.socket();
    const ofAll = framesOf(all);
    await Promise.all([...sockets, all].map(openOf));
    all.send('{"watch":"*"}');
    await until('all are watched', () => ofAll.length === 1);
    const at = performance.now();
    await web.send(session, 'm', 'go');
    const isOver = (seen: readonly string[]) => seen.some((frame) => frame.includes('"type":"idle"'));
    await until('idle everywhere', () => frames.every(isOver) && isOver(ofAll), 30_000);
    const seconds = (performance.now() - at) / 1_000;
    const count = frames.reduce((sum, { length }) => sum + length, 0);
    process.stdout.write(`100 clients: ${count} frames in ${seconds.toFixed(2)} s\n`);
    const durable = (seen: readonly string[]) => seen.filter((frame) => !frame.includes('"ephemeral":true'));
    const expected = durable(frames[0] ?? []);
    expect(expected.length).toBeGreaterThan(10);
    for (const seen of frames) expect(durable(seen)).toEqual(expected);
    expect(durable(ofAll)).toEqual(expected);
    expect(JSON.parse(ofAll[0] ?? '')).toMatchObject({ session: '*', type: 'gap' });
    for (const socket of [...sockets, all]) socket.close();
  });
});

/** Reads so many frames, or up to `idle`, and leaves. */
async function someFrames(socket: WebSocket, most: number): Promise<readonly SessionEvent[]> {
  const events: SessionEvent[] = [];
  await new Promise<void>((resolve) => {
    socket.addEventListener('message', ({ data }) => {
      if (events.length < most) events.push(parseEventLine(String(data)));
      if (events.length === most || events.at(-1)?.type === 'idle') resolve();
    });
  });
  socket.close();
  return events;
}

/** The bytes of every file below a folder but the owner's token, which is kept there to be told again, and the local socket's. */
function filesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'access-token')
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
}
