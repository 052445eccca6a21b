import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getDefaultHighWaterMark } from 'node:stream';
import type { SessionEvent } from '@bulkhead/protocol';
import { ClientService } from '@bulkhead/protocol/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ClientDoors, clientDoors, unreadGrpc, unreadHttp } from '../testing/client-doors.ts';

const TIMEOUT_MS = 360_000;

/** With `make`'s usual size, 12 MB for each client. */
const ANSWERS = 300;
const UNREAD_CLIENTS = 20;

/**
 * `Subscription` of the log: as much waits as it may hold, as much was taken from it to be sent, and a page that
 * was read from the log with its records. Clients in step share most of this, others nothing.
 */
const SUBSCRIPTION_BYTES = 3 * 256 * 1024;

/** The stream of the watch, of the call and of the socket each hold one event beyond their mark. */
const TRANSPORT_BYTES = 3 * (getDefaultHighWaterMark(false) + 8_000);

let folder: string;
let ended: DisposableStack;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bulkhead-slow-'));
  ended = new DisposableStack();
});
afterEach(() => {
  ended.dispose();
  rmSync(folder, { recursive: true, force: true });
});

/** Event lines over HTTP, read only on demand. */
async function* overHttp({ address, token }: ClientDoors, after: number): AsyncGenerator<SessionEvent> {
  const path = `/api/v1/sessions/s/events?follow=true&afterSeq=${after}`;
  const request = get({
    host: address.hostname,
    port: address.port,
    path,
    agent: false,
    headers: { authorization: `Bearer ${token}` },
  });
  const [response] = await once(request, 'response');
  ended.defer(() => request.destroy());
  expect(response.statusCode).toBe(200);
  let rest = '';
  for await (const chunk of response.setEncoding('utf8')) {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line);
  }
}

async function* overGrpc(service: ClientDoors, afterSeq: number): AsyncGenerator<SessionEvent> {
  const watched = { sessionId: 's', afterSeq, follow: true };
  for await (const { json } of service.connect().stream(ClientService.method.watch, watched))
    yield JSON.parse(json);
}

/**
 * Checks completeness: each durable event once and in order, preceded by its four deltas or a gap
 * that announces their loss.
 */
function expectToldWhole(seen: readonly SessionEvent[], first: number, last: number): void {
  let deltas = 0;
  // Events before the start of the watch are not lost.
  let gap = true;
  const durable: number[] = [];
  for (const event of seen) {
    if (event.type === 'gap') {
      gap = true;
      expect(event.after).toBe(durable.at(-1) ?? first - 1);
    } else if (event.ephemeral) deltas += 1;
    else {
      durable.push(event.seq);
      if (deltas < 4 && !gap)
        expect.fail(`${4 - deltas} deltas before ${event.seq} are missing, and no gap said so`);
      if (deltas === 4) gap = false;
      deltas = 0;
    }
  }
  expect(durable).toEqual(Array.from({ length: last - first + 1 }, (_, index) => first + index));
}

const ways = { HTTP: overHttp, gRPC: overGrpc };

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 2_400; tries += 1) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${what}: not so after four minutes`);
}

/** Growth of the service's memory, in bytes. */
async function growthOf(service: ClientDoors, work: () => Promise<unknown>): Promise<number> {
  const before = await service.usedBytes();
  await work();
  return (await service.usedBytes()) - before;
}

/** Watches that are never read, alternately over both ways. */
function* openUnread(service: ClientDoors) {
  for (let count = 0; count < UNREAD_CLIENTS; count += 2) {
    yield unreadGrpc(service, ended);
    yield unreadHttp(service, ended);
  }
}

describe('a client that stops reading', () => {
  for (const [way, watch] of Object.entries(ways)) {
    it(
      `over ${way} receives every event or a gap, and catches up [X6] [FG10]`,
      async () => {
        const service = await clientDoors(folder, ended);
        const { last: first } = await service.make(0);
        const events = watch(service, first);
        const seen: SessionEvent[] = [];
        const opening = events.next().then(({ value }) => seen.push(value));
        while (seen.length === 0) await service.make(1, 100);
        await opening;
        const { last } = await service.make(700);
        while (seen.at(-1)?.seq !== last || seen.at(-1)?.ephemeral === true) {
          const { value, done } = await events.next();
          if (done) break;
          seen.push(value);
        }
        expect(seen.some(({ type }) => type === 'gap')).toBe(true);
        expectToldWhole(seen, first + 1, last);
        // Live again, with every delta.
        const more = await service.make(1);
        const live: SessionEvent[] = [];
        while (live.at(-1)?.seq !== more.last || live.at(-1)?.ephemeral === true)
          live.push((await events.next()).value);
        expect(live.map(({ type }) => type)).toEqual([...Array(4).fill('text_delta'), 'session_title']);
      },
      TIMEOUT_MS,
    );

    it(
      `over ${way} misses no delta silently while it receives past events [X6]`,
      async () => {
        const service = await clientDoors(folder, ended);
        const { last: first } = await service.make(0);
        await service.make(700);
        const events = watch(service, first);
        const seen: SessionEvent[] = [(await events.next()).value];
        const { last } = await service.make(20);
        while (seen.at(-1)?.seq !== last || seen.at(-1)?.ephemeral === true)
          seen.push((await events.next()).value);
        expectToldWhole(seen, first + 1, last);
        // A reader that is at the end of the past before the last answers begin gets no gap, and loses none.
        const deltas = seen.filter(({ type, seq }) => type === 'text_delta' && seq > last - 20);
        if (!seen.some(({ type }) => type === 'gap')) expect(deltas).toHaveLength(20 * 4);
      },
      TIMEOUT_MS,
    );
  }

  it(
    'takes little memory, however it connected [X6] [FG10]',
    async () => {
      // The log of the service keeps these answers without unread clients, too.
      const other = await clientDoors(join(folder, 'other'), ended);
      await other.make(1);
      const answers = await growthOf(other, () => other.make(ANSWERS * 9));
      const service = await clientDoors(folder, ended);
      const { open } = await service.make(1);
      const sockets: Socket[] = [];
      const withUnread = await growthOf(service, async () => {
        sockets.push(...openUnread(service));
        await until('all are open', async () => (await service.make(0)).open === open + sockets.length);
        await service.make(ANSWERS * 9);
      });
      expect((await service.make(0)).open).toBe(open + sockets.length);
      const each = (withUnread - answers) / sockets.length;
      process.stdout.write(`a client that never reads: ${(each / 1_048_576).toFixed(2)} MB\n`);
      // Half as much again for the heap's own. Without a bound it grows with what is sent, 36 MB here.
      expect(each).toBeLessThan((SUBSCRIPTION_BYTES + TRANSPORT_BYTES) * 1.5);
    },
    TIMEOUT_MS,
  );

  it(
    'is closed, however it connected [X6] [FG10]',
    async () => {
      // Long enough for the reading client on a busy machine: it must not be closed.
      const service = await clientDoors(folder, ended, 6_000);
      const { last: first } = await service.make(0);
      const heard: SessionEvent[] = [];
      const reader = (async () => {
        for await (const event of overGrpc(service, first)) heard.push(event);
      })().catch(() => {});
      while (heard.length === 0) await service.make(1, 100);
      const { open } = await service.make(0);
      const sockets = [...openUnread(service)];
      const closed = sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)));
      await until('all are open', async () => (await service.make(0)).open >= open + sockets.length);
      // Closed while the client does not read; a paused socket notices that at its next read. The kernel may take
      // megabytes for a client, and one that lags is sent no deltas: more until something waits for each.
      await until('all are closed', async () => (await service.make(40)).open <= open);
      for (const socket of sockets) socket.resume();
      await Promise.all(closed);
      // A reading client was not closed, nor one with nothing to read.
      const { last: told } = await service.make(0);
      const isAt = (seq: number) => heard.at(-1)?.seq === seq && heard.at(-1)?.ephemeral !== true;
      await until('the other has caught up', async () => isAt(told));
      const { last } = await service.make(1);
      await until('the other heard it', async () => isAt(last));
      expect(heard.slice(-5).map(({ type }) => type)).toEqual([
        ...Array(4).fill('text_delta'),
        'session_title',
      ]);
      void reader;
    },
    TIMEOUT_MS,
  );

  it(
    'keeps the service from ending by no way [X6] [D4]',
    async () => {
      const service = await clientDoors(folder, ended);
      const { open } = await service.make(1);
      for (const unread of [unreadGrpc, unreadHttp]) unread(service, ended);
      await until('both are heard', async () => (await service.make(0)).open >= open + 2);
      await service.make(300);
      await service.end();
    },
    TIMEOUT_MS,
  );
});
