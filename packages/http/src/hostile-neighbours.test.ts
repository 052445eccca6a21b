import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { DoorStage } from './testing/door-stage.ts';

let stage: DoorStage | undefined;
afterEach(async () => {
  await stage?.[Symbol.asyncDispose]();
  stage = undefined;
});

const service = { status: () => ({ version: 'v' }) };
const STATUS = '/api/v1/status';

async function open(): Promise<DoorStage> {
  stage = await DoorStage.open(service, (folder) => writeFileSync(join(folder, 'index.html'), '<p>ui</p>'));
  return stage;
}

/** Returns the status of a request on a socket of the agent. */
async function onSocketOf(door: DoorStage, agent: Agent, token: string): Promise<number> {
  const headers = { host: door.host, authorization: `Bearer ${token}` };
  const sent = request({ port: door.port, host: '127.0.0.1', path: STATUS, agent, headers });
  sent.end();
  const [response] = await once(sent, 'response');
  response.resume();
  await once(response, 'end');
  return response.statusCode;
}

describe('a neighbour on this machine', () => {
  it('with a token of its own guesses no faster for it [FT37]', async () => {
    const door = await open();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    try {
      expect(await onSocketOf(door, agent, 'program-secret')).toBe(403);
      const statuses: number[] = [];
      for (let count = 0; count < 12; count += 1)
        statuses.push(await onSocketOf(door, agent, `guess ${count}`.replace(' ', '-')));
      expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
      // Each of the last wrong ones has waited, and the valid ones have not.
      expect(await onSocketOf(door, agent, 'program-secret')).toBe(403);
    } finally {
      agent.destroy();
    }
  });

  it('with its own token exceeds its rate, and slows no other caller [FT49]', async () => {
    const door = await open();
    const agent = new Agent({ keepAlive: true, maxSockets: 20 });
    try {
      const asked = Array.from({ length: 1_200 }, () => onSocketOf(door, agent, 'program-secret'));
      expect(new Set(await Promise.all(asked))).toEqual(new Set([403, 429]));
      expect((await door.owner(STATUS)).status).toBe(200);
      expect((await door.ask('/')).status).toBe(200);
    } finally {
      agent.destroy();
    }
  });

  it('with a token of its own fills its share of sockets, and keeps no other out [FT49]', async () => {
    const door = await open();
    const stream = door.socket('/api/v1/stream', { authorization: 'Bearer owner-secret' });
    await once(stream, 'open');
    // As many sockets as requests, each with an agent of its own that keeps it open.
    const agents = Array.from({ length: 300 }, () => new Agent({ keepAlive: true }));
    try {
      const statuses: number[] = [];
      for (const agent of agents) statuses.push(await onSocketOf(door, agent, 'program-secret'));
      // Refused ones are closed, so that strangers can use their places.
      expect(statuses.filter((status) => status === 429)).toHaveLength(300 - 32);
      expect(statuses.filter((status) => status === 403)).toHaveLength(32);
      expect((await door.owner(STATUS)).status).toBe(200);
      const next = door.socket('/api/v1/stream', { authorization: 'Bearer owner-secret' });
      await once(next, 'open');
      expect(stream.readyState).toBe(stream.OPEN);
    } finally {
      for (const agent of agents) agent.destroy();
    }
  });

  it('that sets cookies of our name for other paths ends no login [I5]', async () => {
    const door = await open();
    const name = `bulkhead_session_${door.port}`;
    // In the order of browsers: the longer path first.
    const cookie = `${name}=theirs; other=1; ${door.cookie}`;
    const { status, headers } = await door.ask(STATUS, { headers: { cookie } });
    expect([status, headers['set-cookie']]).toEqual([200, undefined]);
  });
});

describe('a page of others', () => {
  it('that leads here with a wrong code takes no login from the browser [I5]', async () => {
    const door = await open();
    const headers = {
      cookie: door.cookie,
      origin: `http://${door.host}`,
      'content-type': 'application/json',
    };
    const logIn = (cookie: string) =>
      door.ask('/api/v1/login', { method: 'POST', headers: { ...headers, cookie }, body: '{"code":"x"}' });
    for (let count = 0; count < 12; count += 1) {
      const { status, headers: answered } = await logIn(door.cookie);
      expect([status, answered['set-cookie']]).toEqual([200, undefined]);
    }
    const wrong = await logIn('other=1');
    expect([wrong.status, wrong.headers['set-cookie']]).toEqual([401, undefined]);
    // A refused cookie is deleted.
    const gone = await door.ask(STATUS, { headers: { cookie: `${door.cookie}x` } });
    expect([gone.status, gone.headers['set-cookie']]).toEqual([401, [expect.stringContaining('Max-Age=0')]]);
  });

  it('may lead here, and load nothing; what it asks for spends nothing of others [FT46] [FT49]', async () => {
    const door = await open();
    for (const site of ['cross-site', 'same-site']) {
      const page = { 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
      expect((await door.ask('/', { headers: page })).status).toBe(200);
    }
    const image = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' };
    const statuses = new Set<number>();
    for (let round = 0; round < 20; round += 1) {
      const asked = Array.from({ length: 50 }, () => door.ask('/', { headers: image }));
      for (const { status } of await Promise.all(asked)) statuses.add(status);
    }
    expect([...statuses]).toEqual([403]);
    expect((await door.ask('/')).status).toBe(200);
  });
});
