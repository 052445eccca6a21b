import { readdirSync, readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Script } from '@bulkhead/testkit';
import { sweepOf } from '@bulkhead/testkit/sweep';
import { describe, expect, it } from 'vitest';
import { until } from './support/until.ts';
import { useStage } from './support/use-stage.ts';
import { closeOf, framesOf, openOf, serveWeb } from './support/web-client.ts';

const stage = useStage();
/** Wrong tokens, and sockets that say nothing: the whole takes half a minute of both cores. */
const STRANGERS = sweepOf(2_000, 10_000);
const served = (script: Script) => serveWeb(stage(), script);

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

  it('slows thousands of wrong tokens over a hundred sockets, and lets its owner in meanwhile, also anew [FT37]', async () => {
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
      for (let index = first; index < STRANGERS; index += 100) await guess(index);
    };
    const guessing = Promise.all(Array.from({ length: 100 }, (_, first) => worker(first)));
    const statuses: number[] = [];
    for (let count = 0; count < 20; count += 1) {
      statuses.push((await owner()).status);
      statuses.push((await web.raw('/api/v1/status', { headers: web.bearer })).status);
      await sleep(20);
    }
    // A browser that was never here logs in, too.
    const { cookie } = await web.logIn();
    statuses.push((await web.raw('/api/v1/status', { headers: { cookie } })).status);
    await guessing;
    expect([...counts.keys()].toSorted()).toEqual([401, 429]);
    // Ten in any minute.
    expect(counts.get(401)).toBeLessThanOrEqual(20);
    expect(new Set(statuses)).toEqual(new Set([200]));
    known.destroy();
    strangers.destroy();
  });

  it('drops what a rotated token has open, and the run goes on [FT38]', async () => {
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
    const { token } = await client.call('rotateAccessToken', {});
    expect(await closed).toEqual([4401, 4401]);
    expect(await lines).toBe('cut');
    process.stdout.write(`three sockets dropped in ${Math.round(performance.now() - at)} ms\n`);
    expect((await web.raw('/api/v1/status', { headers: web.bearer })).status).toBe(401);
    expect((await web.raw('/api/v1/status', { headers: { cookie: login.cookie } })).status).toBe(401);
    const bearer = { authorization: `Bearer ${token}` };
    const path = `/api/v1/sessions/${session}/events`;
    await until('the end of the run', async () =>
      (await web.raw(path, { headers: bearer })).text.includes('"idle"'),
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
    for (let wave = 0; wave < STRANGERS / 200; wave += 1) {
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
      `${STRANGERS} idle sockets: others p50 ${times[times.length >> 1]?.toFixed(1)} ms, worst ${times.at(-1)?.toFixed(1)} ms\n`,
    );
    await until('the idle are gone', () => idle.every(({ destroyed }) => destroyed));
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
      const sent = client.call('sendMessage', { sessionId: session, messageId: `big-${megabytes}`, content });
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
    const web = await served(() => ({ text: ['You said ', said.text] }));
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

/**
 * The bytes of every file below a folder, except the two tokens that must be kept there: the
 * owner's, which can be shown again, and the local socket's.
 */
function filesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'access-token')
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
}
