import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemTimers, type Timers } from '@bulkhead/protocol';
import type { WatchRequest } from '@bulkhead/protocol/client';
import { parseEvent } from '@bulkhead/protocol/transcript';
import { Code, ConnectError, type HandlerContext } from '@connectrpc/connect';
import { afterEach, describe, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { DoorStage } from '../testing/door-stage.ts';

let stage: DoorStage | undefined;
afterEach(async () => {
  await stage?.[Symbol.asyncDispose]();
  stage = undefined;
});

const bearer = { authorization: 'Bearer owner-secret' };

/**
 * A session's log with this many lines and then no more; reports how far it was read and the open
 * watches.
 */
function scriptedLog(lines: number, text = '') {
  const state = { read: 0, watching: 0 };
  async function* watch({ sessionId, afterSeq }: WatchRequest, { signal }: HandlerContext) {
    if (sessionId === 'gone') throw new ConnectError('there is no session gone', Code.NotFound);
    state.watching += 1;
    try {
      for (let seq = afterSeq + 1; seq <= lines; seq += 1) {
        state.read = seq;
        yield line(sessionId === '*' ? 'a' : sessionId, seq, text);
      }
      if (sessionId === 'short') return;
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    } finally {
      state.watching -= 1;
    }
  }
  return { state, watch };
}

function line(sessionId: string, seq: number, text: string) {
  return { seq, sessionId, type: 'x', json: JSON.stringify({ seq, session: sessionId, text }) };
}

/** The frames that a socket receives, as they come. */
function frames(socket: WebSocket): string[] {
  const seen: string[] = [];
  socket.on('message', (data) => seen.push(String(data)));
  return seen;
}

async function until(what: string, check: () => boolean): Promise<void> {
  const end = performance.now() + 60_000;
  while (!check()) {
    if (performance.now() > end) throw new Error(`not within a minute: ${what}`);
    await sleep(5);
  }
}

describe('the event stream', () => {
  it('sends the lines after a sequence number, one in each frame, and stops on request [T3]', async () => {
    const { state, watch } = scriptedLog(5);
    stage = await DoorStage.open({ watch });
    const socket = stage.socket('/api/v1/stream?session=s&after=2', bearer);
    const seen = frames(socket);
    await until('three lines', () => seen.length === 3);
    // Input is never decompressed.
    expect(socket.extensions).toBe('');
    expect(seen.map((text) => JSON.parse(text).seq)).toEqual([3, 4, 5]);
    socket.send('{"watch":"t","after":4}');
    await until('a fourth', () => seen.length === 4);
    expect(state.watching).toBe(2);
    socket.send('{"unwatch":"s"}');
    await until('one left', () => state.watching === 1);
    socket.send('{"watch":"t","after":0}');
    await until('t again, from the start', () => seen.length === 9);
    expect(state.watching).toBe(1);
    socket.close();
    await until('nobody left', () => state.watching === 0);
  });

  it('tells of an error inside that there was one, and keeps its words to itself', async () => {
    stage = await DoorStage.open({
      async *watch() {
        yield line('s', 1, '');
        throw new ConnectError('the file /secret/place', Code.Internal);
      },
    });
    const socket = stage.socket('/api/v1/stream?session=s', bearer);
    const seen = frames(socket);
    await until('an answer', () => seen.length === 2);
    expect(JSON.parse(seen[1] ?? '')).toMatchObject({ error: { code: 'internal' }, watch: 's' });
    expect(seen[1]).not.toContain('/secret');
    expect(stage.errors).toHaveLength(1);
  });

  it('answers what it can not do, and goes on', async () => {
    const { watch } = scriptedLog(1);
    stage = await DoorStage.open({ watch });
    const socket = stage.socket('/api/v1/stream', bearer);
    const seen = frames(socket);
    await once(socket, 'open');
    const wrong = [
      '',
      'x',
      '[]',
      'null',
      '{}',
      '{"watch":1}',
      '{"watch":"a","after":-1}',
      '{"watch":"a","after":"1"}',
    ];
    const more = [
      '{"watch":"a","unwatch":"a"}',
      '{"watch":"a","role":"owner"}',
      `{"watch":"${'a'.repeat(200)}"}`,
    ];
    for (const text of [...wrong, ...more]) socket.send(text);
    socket.send(Buffer.from('{"watch":"a"}'), { binary: true });
    await until('an answer to each', () => seen.length === 12);
    for (const text of seen)
      expect(JSON.parse(text)).toMatchObject({ error: { code: 'usage', fix: expect.any(String) } });
    socket.send('{"watch":"gone"}');
    await until('an answer', () => seen.length === 13);
    expect(JSON.parse(seen.at(-1) ?? '')).toMatchObject({
      error: { message: expect.any(String) },
      watch: 'gone',
    });
    socket.send('{"watch":"short"}');
    await until('its end', () => seen.length === 15);
    expect(JSON.parse(seen.at(-1) ?? '')).toEqual({ ended: 'short' });
  });

  it('watches so many sessions and no more', async () => {
    const { state, watch } = scriptedLog(0);
    stage = await DoorStage.open({ watch });
    const socket = stage.socket('/api/v1/stream', bearer);
    const seen = frames(socket);
    await once(socket, 'open');
    for (let index = 0; index < 70; index += 1) socket.send(`{"watch":"s${index}"}`);
    await until('refusals', () => seen.length === 6);
    await until('watches', () => state.watching === 64);
  });

  it('names the watch of each line; each watch is whole and in order [T3]', async () => {
    const { watch } = scriptedLog(3);
    stage = await DoorStage.open({ watch });
    const socket = stage.socket('/api/v1/stream', bearer);
    const seen = frames(socket);
    await once(socket, 'open');
    // Events of all sessions come before, between and after those of the session: neither watch
    // loses any, whichever ends first.
    for (const frame of ['{"watch":"*"}', '{"watch":"a"}', '{"watch":"b","after":1}', '{"unwatch":"a"}'])
      socket.send(frame);
    socket.send('{"watch":"a","after":2}');
    await until(
      'all',
      () => seqsOf('*').length === 3 && seqsOf('b').length === 2 && seqsOf('a').at(-1) === 3,
    );
    function seqsOf(name: string): number[] {
      return seen.flatMap((text) => {
        const { seq, session, watch: mark } = JSON.parse(text);
        return (mark ?? session) === name ? [seq] : [];
      });
    }
    expect([seqsOf('*'), seqsOf('b')]).toEqual([
      [1, 2, 3],
      [2, 3],
    ]);
    const own = seqsOf('a');
    expect(own).toEqual(own.toSorted());
  });

  it('leaves a line of all sessions an event like any other', async () => {
    const event = { seq: 1, time: '2026-01-01T00:00:00.000Z', session: 'a', turn: 't', type: 'agent_start' };
    stage = await DoorStage.open({
      async *watch() {
        yield { seq: 1, sessionId: 'a', type: event.type, json: JSON.stringify({ ...event, message: 'm' }) };
      },
    });
    const socket = stage.socket('/api/v1/stream', bearer);
    const seen = frames(socket);
    await once(socket, 'open');
    socket.send('{"watch":"*"}');
    await until('its end', () => seen.length === 2);
    expect(parseEvent(seen[0] ?? '')).toMatchObject({ ...event, message: 'm' });
    expect(parseEvent(seen[1] ?? '')).toBeUndefined();
  });

  it('reads no further than its client does: a slow one costs no memory [X6]', async () => {
    const total = 4_000;
    const { state, watch } = scriptedLog(total, 'x'.repeat(8_192));
    stage = await DoorStage.open({ watch });
    const socket = stage.socket('/api/v1/stream', bearer);
    const seen = frames(socket);
    await once(socket, 'open');
    socket.pause();
    socket.send('{"watch":"s"}');
    await until('it has begun', () => state.read > 10);
    let before = 0;
    // The buffers of both sides fill up at some point.
    await until('it waits', () => {
      const waits = state.read === before;
      before = state.read;
      return waits && state.read > 10;
    });
    await sleep(200);
    expect(state.read).toBeLessThan(total / 2);
    socket.resume();
    await until('all of it', () => seen.length === total);
    expect(seen.map((text) => JSON.parse(text).seq)).toEqual(
      Array.from({ length: total }, (_, index) => index + 1),
    );
  });

  it('closes with a word for a frame that is too large [FT50]', async () => {
    const { watch } = scriptedLog(0);
    stage = await DoorStage.open({ watch });
    const socket = stage.socket('/api/v1/stream', bearer);
    await once(socket, 'open');
    socket.send('x'.repeat(1024 * 1024 + 1));
    const [code] = await once(socket, 'close');
    expect(code).toBe(1009);
    expect(await stage.upgrade('/api/v1/stream', bearer)).toBe(101);
  });

  it('ends with its proof, and no other with it [FT38]', async () => {
    const { watch } = scriptedLog(0);
    stage = await DoorStage.open({ watch });
    const ended = stage.socket('/api/v1/stream', bearer);
    const other = stage.socket('/api/v1/stream', { cookie: stage.cookie, origin: `http://${stage.host}` });
    await Promise.all([once(ended, 'open'), once(other, 'open')]);
    const closed = once(ended, 'close');
    stage.access.end('o');
    const [code] = await closed;
    expect(code).toBe(4401);
    expect(await stage.upgrade('/api/v1/stream', bearer)).toBe(401);
    expect(other.readyState).toBe(other.OPEN);
  });

  it('ends also for a client that does not answer the close, and a call that streams [FT38]', async () => {
    const { state, watch } = scriptedLog(0);
    stage = await DoorStage.open({ watch });
    const silent = stage.socket('/api/v1/stream?session=s', bearer);
    await once(silent, 'open');
    silent.pause();
    const call = stage.owner('/api/v1/sessions/s/events?follow=true').catch(() => 'cut');
    await until('both watch', () => state.watching === 2);
    stage.access.end('o');
    expect(await call).toBe('cut');
    await until('nobody watches', () => state.watching === 0);
  });

  it('ends for a client that is there no more, and goes on for one that only says nothing [FT49]', async () => {
    const { state, watch } = scriptedLog(0);
    // A minute of pings in less than a second.
    const hurried: Timers = { after: (ms, run) => systemTimers.after(ms / 100, run) };
    stage = await DoorStage.open({ watch }, () => {}, hurried);
    const gone = stage.socket('/api/v1/stream?session=s', bearer);
    const quiet = stage.socket('/api/v1/stream?session=t', bearer);
    await Promise.all([once(gone, 'open'), once(quiet, 'open')]);
    // It answers no ping and no close.
    gone.pause();
    await until('one left', () => state.watching === 1);
    await sleep(1_000);
    expect([state.watching, quiet.readyState]).toEqual([1, quiet.OPEN]);
  });

  it('is at one place', async () => {
    stage = await DoorStage.open(scriptedLog(0));
    expect(await stage.upgrade('/', bearer)).toBe(404);
    expect(await stage.upgrade('/api/v1/stream/', bearer)).toBe(404);
    expect(await stage.upgrade('/api/v1/stream?after=x', bearer)).toBe(400);
    expect(await stage.upgrade('/api/v1/stream?token=owner-secret', bearer)).toBe(400);
    expect(await stage.upgrade('/api/v1/stream', {})).toBe(401);
  });
});
