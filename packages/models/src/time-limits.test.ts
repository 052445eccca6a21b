import { setTimeout as sleep } from 'node:timers/promises';
import { type ScriptedModelServer, type ScriptedReply, startScriptedModelServer } from '@bulkhead/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { callWith, clientFor, failureOf, readAnswer } from './testing/model-fixtures.ts';
import { WIRE_CASES } from './testing/wire-cases.ts';

/** The cases of a provider mostly wait, so they run side by side, each with a separate server. */
const servers: ScriptedModelServer[] = [];

afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
});

async function serve(...replies: ScriptedReply[]): Promise<ScriptedModelServer> {
  const server = await startScriptedModelServer(replies);
  servers.push(server);
  return server;
}

describe.concurrent.each(WIRE_CASES)('$wire: time limits', ({ wire, chunksOfTwoDeltas }) => {
  it.each([['before-first-byte'], ['keep-alive-only']] as const)(
    'silence before the first token (%s) is a timeout, and the connection closes [E6] [FT68]',
    async (stall) => {
      const at = await serve({ stall });
      const began = performance.now();
      const failure = await failureOf(clientFor(wire, at, { firstTokenMs: 500, idleMs: 60_000 }));
      expect(failure).toMatchObject({
        code: 'timeout',
        retryable: true,
        details: { phase: 'first-token', limitMs: 500 },
      });
      expect(performance.now() - began).toBeGreaterThan(480);
      expect(performance.now() - began).toBeLessThan(10_000);
      expect(await at.requests[0]?.disconnected).toBe(true);
    },
  );

  it('silence in the middle is a timeout, and the connection closes [E6] [FT68]', async () => {
    const at = await serve({ text: ['a', 'b', 'c'], stall: { afterChunks: chunksOfTwoDeltas } });
    const failure = await failureOf(clientFor(wire, at, { firstTokenMs: 60_000, idleMs: 400 }));
    expect(failure).toMatchObject({
      code: 'timeout',
      retryable: true,
      details: { phase: 'idle', received: true },
    });
    expect(await at.requests[0]?.disconnected).toBe(true);
  });

  it('a connection that is only kept open in the middle is a timeout too [E6] [FT68]', async () => {
    const at = await serve({
      text: ['a', 'b', 'c'],
      stall: { afterChunks: chunksOfTwoDeltas, keepAlive: true },
    });
    const failing = failureOf(clientFor(wire, at, { firstTokenMs: 60_000, idleMs: 400 }));
    const failure = await Promise.race([failing, sleep(8_000, 'none')]);
    expect(failure).toMatchObject({ code: 'timeout', details: { phase: 'idle', received: true } });
  });

  it('an answer that goes on and on has an end all the same [FT68]', async () => {
    const at = await serve({ text: [...'abcdefghijklmnopqrstuvwxyz'], chunkDelayMs: 80 });
    const failure = await failureOf(clientFor(wire, at, { totalMs: 600 }));
    expect(failure).toMatchObject({ code: 'timeout', details: { phase: 'total', limitMs: 600 } });
    expect(await at.requests[0]?.disconnected).toBe(true);
  });

  it('a slow but steady stream is none [E6]', async () => {
    const at = await serve({ text: [...'abcdefghijkl'], chunkDelayMs: 80 });
    const { text } = await readAnswer(clientFor(wire, at, { firstTokenMs: 2_000, idleMs: 600 }));
    expect(text).toBe('abcdefghijkl');
  });

  it('a reader that takes its time is none [E6]', async () => {
    const at = await serve({ text: ['a', 'b'] });
    const texts: string[] = [];
    const signal = new AbortController().signal;
    for await (const event of clientFor(wire, at, { firstTokenMs: 2_000, idleMs: 400 }).stream(
      callWith(),
      signal,
    )) {
      if (event.type === 'text') texts.push(event.text);
      await sleep(600);
    }
    expect(texts).toEqual(['a', 'b']);
  });

  it('an abort while waiting is "cancelled", and the socket closes', async () => {
    const at = await serve({ stall: 'before-first-byte' });
    const abort = new AbortController();
    const failing = failureOf(clientFor(wire, at), abort.signal);
    while (at.requests.length === 0) await sleep(5);
    abort.abort();
    expect(await failing).toMatchObject({ code: 'cancelled', retryable: false });
    expect(await at.requests[0]?.disconnected).toBe(true);
  });

  it('an abort in the middle is "cancelled", and the socket closes', async () => {
    const at = await serve({ text: ['a', 'b', 'c'], stall: { afterChunks: chunksOfTwoDeltas } });
    const abort = new AbortController();
    const seen: string[] = [];
    const reading = async (): Promise<void> => {
      for await (const event of clientFor(wire, at).stream(callWith(), abort.signal)) {
        seen.push(event.type);
        abort.abort();
      }
    };
    await expect(reading()).rejects.toMatchObject({ code: 'cancelled' });
    expect(seen).not.toContain('finish');
    expect(await at.requests[0]?.disconnected).toBe(true);
  });

  it('a reader that leaves closes the socket', async () => {
    const at = await serve({ text: ['a', 'b', 'c'], stall: { afterChunks: chunksOfTwoDeltas } });
    for await (const _event of clientFor(wire, at).stream(callWith(), new AbortController().signal)) break;
    expect(await at.requests[0]?.disconnected).toBe(true);
  });

  it('a signal that is aborted already sends nothing', async () => {
    const at = await serve({ text: 'x' });
    expect(await failureOf(clientFor(wire, at), AbortSignal.abort())).toMatchObject({ code: 'cancelled' });
    expect(at.requests).toHaveLength(0);
  });
});
