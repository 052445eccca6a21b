import { create, toBinary } from '@bufbuild/protobuf';
import { BulkheadError, PROTOCOL_VERSION } from '@bulkhead/protocol';
import { AttachRequestSchema, AttachResponseSchema } from '@bulkhead/protocol/worker';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acceptProcess } from './accept-process.ts';
import { attachToEngine } from './attach-to-engine.ts';
import { encodeFrames } from './frame.ts';
import { WORKER_LIMITS } from './limits.ts';
import { heldBack } from './testing/held-back.ts';
import { type SocketPair, socketPair } from './testing/socket-pair.ts';
import { worker, workerReady } from './testing/wires.ts';

const options = { token: 't', timeoutMs: 2_000 };

let pair: SocketPair;
beforeEach(async () => {
  pair = await socketPair();
});
afterEach(() => pair[Symbol.asyncDispose]());

function progress(text: string): Uint8Array {
  const event = { case: 'progress' as const, value: { actionId: 'a', text } };
  return toBinary(AttachRequestSchema, create(AttachRequestSchema, { event }));
}

function run(actionId: string): Uint8Array {
  const directive = { case: 'run' as const, value: { actionId } };
  return toBinary(AttachResponseSchema, create(AttachResponseSchema, { directive }));
}

async function connected() {
  const accepting = acceptProcess(pair.engine, worker, options);
  const stream = attachToEngine(pair.peer, worker);
  stream.outbox.push(workerReady('t', PROTOCOL_VERSION));
  return { accepted: await accepting, stream };
}

describe('the two ends of a connection', () => {
  it('carry messages both ways, in order, until the engine closes', async () => {
    const { accepted, stream } = await connected();
    expect(accepted.pid).toBe(1);
    for (let at = 0; at < 100; at += 1) stream.outbox.push(progress(String(at)));
    const texts: unknown[] = [];
    for await (const { event } of {
      [Symbol.asyncIterator]: () => ({ next: () => accepted.events.next() }),
    }) {
      texts.push(event.value);
      if (texts.length === 100) break;
    }
    expect(texts).toMatchObject(Array.from({ length: 100 }, (_, at) => ({ text: String(at) })));
    accepted.outbox.push(run('last'));
    void accepted.close(1_000);
    expect((await stream.directives.next()).value?.directive).toMatchObject({ value: { actionId: 'last' } });
    expect((await stream.directives.next()).done).toBe(true);
    stream.outbox.end();
    await accepted.closed;
  });

  it('say nothing to a process that is refused for what its probes found [FR2]', async () => {
    const asked: unknown[] = [];
    const admit = (probes: unknown) => {
      asked.push(probes);
      throw new BulkheadError('sandbox_unavailable', 'the box leaks');
    };
    const accepting = acceptProcess(pair.engine, worker, { ...options, admit });
    const stream = attachToEngine(pair.peer, worker);
    stream.outbox.push(workerReady('t', PROTOCOL_VERSION, { 'read-file': 'did' }));
    await expect(accepting).rejects.toMatchObject({ code: 'sandbox_unavailable' });
    expect(asked).toEqual([{ 'read-file': 'did' }]);
    expect((await stream.directives.next()).done).toBe(true);
    expect(pair.engine.destroyed).toBe(true);
  });

  it('end the directives without an error when the engine is gone', async () => {
    const { accepted, stream } = await connected();
    accepted.destroy();
    expect(await stream.directives.next()).toEqual({ done: true, value: undefined });
    await accepted.closed;
  });

  it('end the events without an error when the process is gone', async () => {
    const { accepted } = await connected();
    pair.peer.destroy();
    expect(await accepted.events.next()).toEqual({ done: true, value: undefined });
    expect(pair.engine.destroyed).toBe(true);
  });

  it('close when the reader of events leaves', async () => {
    const { accepted, stream } = await connected();
    stream.outbox.push(progress('x'));
    for await (const _ of accepted.events) break;
    await accepted.closed;
  });

  it('close in time though the process goes on', async () => {
    const { accepted } = await connected();
    await accepted.close(100);
  });

  it('refuse what the engine says if it can not be read', async () => {
    const { accepted, stream } = await connected();
    accepted.outbox.push(new Uint8Array([0xff, 0xff, 0xff]));
    await expect(stream.directives.next()).rejects.toMatchObject({ code: 'protocol_violation' });
    accepted.destroy();
  });
});

describe('a process that goes beyond its share', () => {
  async function attached() {
    const accepting = acceptProcess(pair.engine, worker, options);
    pair.peer.write(encodeFrames([workerReady('t', PROTOCOL_VERSION)]));
    return { accepted: await accepting, stream: pair.peer };
  }

  it('is held back while no one reads its flood, in bounded memory', async () => {
    const { accepted, stream } = await attached();
    const flood = encodeFrames(Array.from({ length: 10_000 }, () => progress('x')));
    const before = pair.engine.bytesRead;
    while (stream.write(flood) || stream.writableLength < 4 * 1024 * 1024);
    const taken = await heldBack(pair.engine);
    expect(taken - before).toBeLessThan(2 * 1024 * 1024);
    accepted.destroy();
  });

  it('is closed on when it does not read, before too much waits for it', async () => {
    const { accepted, stream } = await attached();
    stream.pause();
    const message = new Uint8Array(1024 * 1024);
    for (let sent = 0; sent < 2 * (WORKER_LIMITS.queued / message.length); sent += 1) {
      accepted.outbox.push(message);
      await new Promise(setImmediate);
    }
    await accepted.closed;
    await expect(accepted.events.next()).rejects.toThrow('the worker does not read');
  });
});
