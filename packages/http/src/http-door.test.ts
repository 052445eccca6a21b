import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BulkheadError } from '@bulkhead/protocol';
import { Code, ConnectError } from '@connectrpc/connect';
import { afterEach, describe, expect, it } from 'vitest';
import { DoorStage } from './testing/door-stage.ts';

let stage: DoorStage | undefined;
afterEach(async () => {
  await stage?.[Symbol.asyncDispose]();
  stage = undefined;
});

async function open(...args: Parameters<typeof DoorStage.open>): Promise<DoorStage> {
  stage = await DoorStage.open(...args);
  return stage;
}

const service = {
  status: () => ({ version: 'v', sessions: 3 }),
  createSession: ({ workingFolder }: { workingFolder: string }) => ({ sessionId: `at ${workingFolder}` }),
};

function withPage(folder: string): void {
  writeFileSync(join(folder, 'index.html'), '<p>ui</p>');
}

describe('who may come in', () => {
  it('takes the owner’s token and a login’s cookie, and nothing else [I5]', async () => {
    const door = await open(service);
    const path = '/api/v1/status';
    expect((await door.owner(path)).status).toBe(200);
    expect((await door.ask(path, { headers: { cookie: door.cookie } })).status).toBe(200);
    const refused = [
      {},
      { authorization: 'Bearer wrong' },
      { authorization: 'Basic owner-secret' },
      { authorization: 'Bearer cookie-secret' },
      { cookie: `bulkhead_session_${door.port}=owner-secret` },
      { cookie: `bulkhead_session=cookie-secret` },
      { 'x-access-token': 'owner-secret' },
    ];
    for (const headers of refused) {
      const { status, text } = await door.ask(path, { headers });
      expect([headers, status]).toEqual([headers, 401]);
      expect(JSON.parse(text)).toMatchObject({ error: { code: 'unauthenticated', fix: expect.any(String) } });
    }
    // A secret in an address is refused.
    expect((await door.ask(`${path}?token=owner-secret`)).status).toBe(401);
  });

  it('refuses foreign hosts, origins and pages, also before an upgrade [FT46] [I5]', async () => {
    const door = await open(service);
    const own = `http://${door.host}`;
    const bearer = { authorization: 'Bearer owner-secret' };
    const cookie = { cookie: door.cookie };
    const json = { 'content-type': 'application/json' };
    const foreign = [
      { host: 'evil.example' },
      { host: `evil.example:${door.port}` },
      { host: '127.0.0.1' },
      { host: `127.0.0.1:${door.port + 1}` },
      { host: `127.0.0.1.evil.example:${door.port}` },
      { host: `user@127.0.0.1:${door.port}` },
      { origin: 'null' },
      { origin: 'https://evil.example' },
      { origin: `https://${door.host}` },
      { origin: `http://localhost:${door.port}` },
      { origin: `${own}.evil.example` },
      { origin: `${own}/` },
      { origin: '' },
      { origin: own, 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of foreign) {
      for (const proof of [bearer, cookie]) {
        const sent = { ...proof, ...headers };
        expect([sent, (await door.ask('/api/v1/status', { headers: sent })).status]).toEqual([sent, 403]);
        expect([sent, await door.upgrade('/api/v1/stream', sent)]).toEqual([sent, 403]);
      }
      expect([headers, (await door.ask('/', { headers })).status]).toEqual([headers, 403]);
    }
    for (const site of ['cross-site', 'same-site', 'x']) {
      const headers = { ...cookie, 'sec-fetch-site': site };
      expect([site, (await door.ask('/api/v1/status', { headers })).status]).toEqual([site, 403]);
    }
    const post = (headers: Record<string, string>) =>
      door.ask('/api/v1/sessions', { method: 'POST', headers, body: '{"workingFolder":"/"}' });
    expect((await post({ ...cookie, ...json })).status).toBe(403);
    expect((await post({ ...cookie, origin: own, 'content-type': 'text/plain' })).status).toBe(403);
    expect((await post({ ...cookie, origin: own })).status).toBe(403);
    expect((await post({ ...cookie, ...json, origin: own })).status).toBe(200);
    expect((await post({ ...bearer, ...json })).status).toBe(200);
    expect(await door.upgrade('/api/v1/stream', cookie)).toBe(403);
    expect(await door.upgrade('/api/v1/stream', { ...cookie, origin: own })).toBe(101);
    expect(await door.upgrade('/api/v1/stream', bearer)).toBe(101);
    for (const name of ['localhost', '[::1]']) {
      const host = `${name}:${door.port}`;
      expect((await door.ask('/', { headers: { host, origin: `http://${host}` } })).status).toBe(503);
    }
  });

  it('slows wrong secrets after ten a minute, whatever the socket, and never a right one [FT37]', async () => {
    const door = await open(service);
    const path = '/api/v1/status';
    const guess = (token: string) => door.ask(path, { headers: { authorization: `Bearer ${token}` } });
    const statuses = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => (await guess(`g${index}`)).status),
    );
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(50);
    const at = performance.now();
    const slowed = await guess('one-more');
    expect([slowed.status, performance.now() - at >= 240]).toEqual([429, true]);
    expect(Number(slowed.headers['retry-after'])).toBeGreaterThan(0);
    expect(slowed.text).not.toMatch(/owner|program/);
    expect((await guess('owner-secret')).status).toBe(200);
    expect((await guess('program-secret')).status).toBe(403);
  });

  it('lets a browser log in despite wrong codes and a flood of requests [FT37] [FT49]', async () => {
    const door = await open(service);
    const logIn = async (code: string) =>
      await door.ask('/api/v1/login', {
        method: 'POST',
        headers: { origin: `http://${door.host}`, 'content-type': 'application/json' },
        body: JSON.stringify({ code }),
      });
    const wrong = await Promise.all(Array.from({ length: 30 }, (_, index) => logIn(`c${index}`)));
    expect(wrong.filter(({ status }) => status === 401)).toHaveLength(10);
    // More requests than strangers may make, all with a wrong proof.
    const flood = async () => {
      const asked = Array.from({ length: 50 }, () => door.ask('/api/v1/status'));
      return (await Promise.all(asked)).some(({ status }) => status === 429);
    };
    while (!(await flood()));
    expect((await door.ask('/')).status).toBe(503);
    door.access.codes.add('right');
    const first = await logIn('right');
    expect([first.status, first.headers['set-cookie']?.length]).toEqual([200, 1]);
    expect((await door.ask('/api/v1/status', { headers: { cookie: door.cookie } })).status).toBe(200);
    expect((await door.ask('/', { headers: { cookie: door.cookie } })).status).toBe(503);
    expect((await door.owner('/api/v1/status')).status).toBe(200);
  });

  it('does not read what a caller says of its own rights [FT39]', async () => {
    const door = await open(service);
    const program = { authorization: 'Bearer program-secret' };
    const claims = [
      {},
      { 'x-role': 'owner', 'x-scopes': 'admin *' },
      { authorization: 'Bearer program-secret, Bearer owner-secret' },
      { cookie: 'kind=owner; role=admin' },
      { 'sec-websocket-protocol': 'owner' },
    ];
    for (const claim of claims) {
      const headers = { ...program, ...claim };
      expect([403, 401]).toContain((await door.ask('/api/v1/status', { headers })).status);
      expect([403, 401]).toContain(await door.upgrade('/api/v1/stream', headers));
    }
    expect(await door.upgrade('/api/v1/stream?scope=owner', program)).toBe(403);
    const said = { method: 'POST', body: '{"workingFolder":"/","role":"owner","scopes":["*"]}' };
    expect((await door.owner('/api/v1/sessions', said)).status).toBe(400);
    expect((await door.ask('/openapi.json', { headers: program })).status).toBe(403);
    expect((await door.ask('/metrics', { headers: program })).status).toBe(403);
  });
});

it('answers a program that offers HTTP/2 as if it had not', async () => {
  const door = await open(service);
  const headers = {
    connection: 'Upgrade, HTTP2-Settings',
    upgrade: 'h2c',
    'http2-settings': 'AAMAAABkAAQAoAAAAAIAAAAA',
  };
  expect((await door.owner('/api/v1/status', { headers })).status).toBe(200);
});

describe('a call', () => {
  it('goes in and comes out as JSON, and says what is wrong with it [I4]', async () => {
    const door = await open(service);
    const { status, text, headers } = await door.owner('/api/v1/sessions', {
      method: 'POST',
      body: '{"workingFolder":"/w"}',
    });
    expect([status, JSON.parse(text)]).toEqual([200, { sessionId: 'at /w' }]);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    });
    const wrong: readonly (readonly [string, string, string | undefined, number])[] = [
      ['GET', '/api/v1/nothing', undefined, 404],
      ['DELETE', '/api/v1/status', undefined, 405],
      ['POST', '/api/v1/sessions', '{"workingFolder":', 400],
      ['POST', '/api/v1/sessions', '[]', 400],
      ['POST', '/api/v1/sessions', '{"workingFolder":1}', 400],
      ['POST', '/api/v1/sessions', '{"stranger":1}', 400],
      ['POST', '/api/v1/sessions?workingFolder=/', '{}', 400],
      ['POST', '/api/v1/sessions/s/cancel', '{"sessionId":"other"}', 400],
      ['GET', '/api/v1/status?stranger=1', undefined, 400],
      ['GET', '/api/v1/sessions?limit=1&limit=2', undefined, 400],
      ['GET', '/v1/nothing', undefined, 404],
    ];
    for (const [method, path, body, expected] of wrong) {
      const answer = await door.owner(path, { method, ...(body === undefined ? {} : { body }) });
      expect([method, path, answer.status]).toEqual([method, path, expected]);
      expect(JSON.parse(answer.text)).toMatchObject({
        error: { code: expect.any(String), message: expect.any(String) },
      });
    }
  });

  it('is bounded, whatever it says of its size, and the engine goes on [FT50]', async () => {
    const door = await open(service);
    const big = Buffer.alloc(8 * 1024 * 1024 + 1, 0x20);
    const chunked = { 'transfer-encoding': 'chunked' };
    for (const headers of [{}, chunked]) {
      const { status, text } = await door.owner('/api/v1/memory', { method: 'POST', body: big, headers });
      expect([status, JSON.parse(text).error.code]).toEqual([413, 'usage']);
    }
    for (const encoding of ['gzip', 'br', 'deflate']) {
      const headers = { 'content-encoding': encoding };
      expect((await door.owner('/api/v1/sessions', { method: 'POST', body: 'x', headers })).status).toBe(415);
    }
    const asked = await door.owner('/api/v1/status', { body: '{}', headers: { 'content-length': '2' } });
    expect(asked.status).toBe(413);
    // A body that is announced as too large is refused before it arrives.
    const said = { method: 'POST', headers: { 'content-length': '90000000' } };
    expect((await door.owner('/api/v1/memory', said)).status).toBe(413);
    const long = await door.ask('/', { headers: { 'x-long': 'x'.repeat(9_000) } });
    expect(long.status).toBe(431);
    expect((await door.owner('/api/v1/status')).status).toBe(200);
  });

  it('tells of an error inside that there was one, and keeps its words to itself', async () => {
    const door = await open(service, withPage);
    await door.ask('/');
    rmSync(join(door.folder, 'index.html'));
    const { status, text } = await door.ask('/');
    expect(status).toBe(500);
    expect(text).not.toContain(door.folder);
    expect(door.errors).toHaveLength(1);
  });

  it('tells no more of one in the middle of a stream', async () => {
    const door = await open({
      async *readBranch() {
        yield { entries: [] };
        throw new ConnectError('the file /secret/place', Code.Internal);
      },
    });
    const { text } = await door.owner('/api/v1/sessions/a/branch');
    expect(JSON.parse(text.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      error: { code: 'internal' },
    });
    expect(text).not.toContain('/secret');
    expect(door.errors).toHaveLength(1);
  });

  it('that streams answers line by line, and its error is the last line', async () => {
    const door = await open({
      async *readBranch({ sessionId }) {
        yield { entries: [{ entryId: '1', sessionId }] };
        yield { entries: [] };
        throw new BulkheadError('store_corrupt', 'no further');
      },
    });
    const { status, headers, text } = await door.owner('/api/v1/sessions/a%2Fb/branch');
    expect([status, headers['content-type']]).toEqual([200, 'application/x-ndjson']);
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines[0].entries[0]).toMatchObject({ entryId: '1', sessionId: 'a/b' });
    expect(lines.slice(1)).toEqual([
      { entries: [] },
      { error: expect.objectContaining({ code: expect.any(String) }) },
    ]);
  });
});

describe('metrics', () => {
  it('count, and say nothing of what anybody wrote', async () => {
    const door = await open({ status: () => ({ sessions: 3, processes: [{ kind: 'agent', pid: 1 }] }) });
    const { text, headers } = await door.owner('/metrics');
    expect(headers['content-type']).toContain('text/plain');
    expect(text).toContain('bulkhead_sessions 3\n');
    expect(text).toContain('bulkhead_processes{kind="agent"} 1\n');
  });
});
