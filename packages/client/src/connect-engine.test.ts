import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Http2Server, type ServerHttp2Session } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorMetadata } from '@bulkhead/home/errors/error-metadata';
import { BulkheadError, type HomeLayout, homeLayout, PROTOCOL_VERSION } from '@bulkhead/protocol';
import { ClientService } from '@bulkhead/protocol/client';
import { Code, ConnectError, type ServiceImpl } from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectEngine } from './connect-engine.ts';
import { reconnectEngine } from './ensure-engine.ts';
import { branchEntries, readSession } from './session-reads.ts';

describe('connectEngine', () => {
  let root: string;
  let layout: HomeLayout;
  let server: Http2Server | undefined;
  const connections = new Set<ServerHttp2Session>();
  const authorizations: (string | null)[] = [];

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'bulkhead-client-'));
    layout = homeLayout(join(root, 'home'));
    mkdirSync(layout.run, { recursive: true, mode: 0o700 });
    writeFileSync(layout.token, 'the-token\n', { mode: 0o600 });
    authorizations.length = 0;
  });

  afterEach(async () => {
    await close();
    rmSync(root, { recursive: true, force: true });
  });

  async function close(): Promise<void> {
    for (const connection of connections) connection.destroy();
    connections.clear();
    const open = server;
    server = undefined;
    if (open !== undefined) await new Promise<void>((resolve) => open.close(() => resolve()));
  }

  async function serve(implementation: Partial<ServiceImpl<typeof ClientService>>): Promise<void> {
    const adapter = connectNodeAdapter({
      routes: (router) =>
        router.service(
          ClientService,
          { status: () => ({ protocolVersion: PROTOCOL_VERSION, version: '9.9.9' }), ...implementation },
          {
            interceptors: [
              (next) => (request) => {
                authorizations.push(request.header.get('authorization'));
                return next(request);
              },
            ],
          },
        ),
    });
    const http2 = createServer(adapter);
    http2.on('session', (session) => {
      connections.add(session);
      session.on('error', () => session.destroy());
    });
    server = http2;
    await new Promise<void>((resolve) => http2.listen(layout.socket, resolve));
  }

  it('speaks gRPC with the token in every call [P7]', async () => {
    await serve({
      createSession: (request) => ({ sessionId: `in ${request.workingFolder}` }),
      listSessions: () => ({ sessions: [{ sessionId: 'a', messages: 3 }] }),
    });
    using client = await connectEngine(layout);
    expect((await client.call('createSession', { workingFolder: '/somewhere' })).sessionId).toBe(
      'in /somewhere',
    );
    expect((await client.call('listSessions', { limit: 5 })).sessions).toMatchObject([
      { sessionId: 'a', messages: 3 },
    ]);
    expect(authorizations).toEqual(['Bearer the-token', 'Bearer the-token', 'Bearer the-token']);
  });

  it('streams, and a left loop cancels the call at the engine', async () => {
    const ended = Promise.withResolvers<void>();
    await serve({
      async *watch(_request, context) {
        context.signal.addEventListener('abort', () => ended.resolve());
        for (let seq = 1; !context.signal.aborted; seq++) {
          yield { seq, type: 'text_delta', json: `{"seq":${seq}}`.padEnd(20_000) };
        }
      },
    });
    using client = await connectEngine(layout);
    const seen: number[] = [];
    for await (const { seq } of client.stream('watch', { sessionId: 's', follow: true })) {
      seen.push(seq);
      if (seq === 500) break;
    }
    expect(seen).toEqual(Array.from({ length: 500 }, (_, index) => index + 1));
    await ended.promise;
  });

  it('takes a stream without messages, and one that fails after some', async () => {
    await serve({
      async *watch({ sessionId }) {
        if (sessionId === 'empty') return;
        yield { seq: 1 };
        throw new ConnectError('no further', Code.NotFound);
      },
    });
    using client = await connectEngine(layout);
    const seqs: number[] = [];
    for await (const { seq } of client.stream('watch', { sessionId: 'empty' })) seqs.push(seq);
    expect(seqs).toEqual([]);
    const read = async () => {
      for await (const { seq } of client.stream('watch', { sessionId: 'failing' })) seqs.push(seq);
    };
    await expect(read()).rejects.toMatchObject({ code: 'not_found', message: 'no further' });
    expect(seqs).toEqual([1]);
  });

  it('makes any call of the service by its name: members go out and come back as they are', async () => {
    const seen: unknown[] = [];
    const saw =
      <T>(answer: T) =>
      (request: object) => {
        seen.push(request);
        return answer;
      };
    await serve({
      createSession: saw({ sessionId: 'made' }),
      readSession: saw({ session: { sessionId: 'whole' } }),
      moveLeaf: saw({}),
      deleteSession: saw({ deleted: ['b', 'a'] }),
      readUsage: saw({ rows: [{ day: '2026-01-01', inputTokens: 5n }] }),
    });
    using client = await connectEngine(layout);
    const made = await client.call('createSession', { workingFolder: '/w', offTheRecord: true });
    expect(made.sessionId).toBe('made');
    expect(await readSession(client, 'part')).toMatchObject({ sessionId: 'whole', loss: '' });
    await client.call('moveLeaf', { sessionId: 'a', entryId: 'e', summary: 'why' });
    const { deleted } = await client.call('deleteSession', { sessionId: 'a', withForks: true });
    expect(deleted).toEqual(['b', 'a']);
    const { rows } = await client.call('readUsage', { from: 'x', to: 'y', sessionId: 'a' });
    expect(rows).toMatchObject([{ day: '2026-01-01', inputTokens: 5n }]);
    expect(seen).toMatchObject([
      { workingFolder: '/w', offTheRecord: true, history: [] },
      { sessionId: 'part' },
      { sessionId: 'a', entryId: 'e', summary: 'why', toEnd: false },
      { sessionId: 'a', withForks: true },
      { from: 'x', to: 'y', sessionId: 'a' },
    ]);
  });

  it('says that an engine which answers no session broke the protocol', async () => {
    await serve({ readSession: () => ({}) });
    using client = await connectEngine(layout);
    await expect(readSession(client, 'part')).rejects.toMatchObject({ code: 'protocol_violation' });
  });

  it('reads branches and exports in pieces, and fails with what cut them off', async () => {
    await serve({
      async *readBranch() {
        yield { entries: [{ entryId: 'a' }, { entryId: 'b' }] };
        yield { entries: [{ entryId: 'c' }] };
      },
      async *exportSession() {
        yield { chunk: 'one' };
        throw new ConnectError('damaged', Code.Internal);
      },
    });
    using client = await connectEngine(layout);
    const ids: string[] = [];
    for await (const { entryId } of branchEntries(client, { sessionId: 's' })) ids.push(entryId);
    expect(ids).toEqual(['a', 'b', 'c']);
    const chunks: string[] = [];
    const read = async () => {
      for await (const { chunk } of client.stream('exportSession', { sessionId: 's' })) chunks.push(chunk);
    };
    await expect(read()).rejects.toMatchObject({ message: 'damaged' });
    expect(chunks).toEqual(['one']);
  });

  it('takes a request that is too large for what it is, not for a busy session', async () => {
    await serve({
      sendMessage: () => {
        throw new ConnectError('message size is larger than configured', Code.ResourceExhausted);
      },
    });
    using client = await connectEngine(layout);
    await expect(client.call('sendMessage', { sessionId: 's' })).rejects.toMatchObject({ code: 'usage' });
  });

  it('carries message, code and fix of an error', async () => {
    await serve({
      createSession: () => {
        const error = new BulkheadError('not_found', 'no folder “ä”', { fix: 'Make it: mkdir.' });
        throw new ConnectError(error.message, Code.NotFound, errorMetadata(error));
      },
      cancelRun: () => {
        throw new ConnectError('plain', Code.InvalidArgument);
      },
    });
    using client = await connectEngine(layout);
    await expect(client.call('createSession', { workingFolder: '/x' })).rejects.toMatchObject({
      code: 'not_found',
      message: 'no folder “ä”',
      fix: 'Make it: mkdir.',
    });
    await expect(client.call('cancelRun', { sessionId: 's' })).rejects.toMatchObject({
      code: 'usage',
      message: 'plain',
    });
  });

  it('says not_running without a socket, and with one that has no listener', async () => {
    await expect(connectEngine(layout)).rejects.toMatchObject({ code: 'not_running' });
    writeFileSync(layout.socket, '');
    await expect(connectEngine(layout)).rejects.toMatchObject({ code: 'not_running' });
    rmSync(layout.socket);
    rmSync(layout.token);
    await serve({});
    await expect(connectEngine(layout)).rejects.toMatchObject({ code: 'not_running' });
  });

  it('refuses a token that others can read [P7]', async () => {
    await serve({});
    chmodSync(layout.token, 0o644);
    await expect(connectEngine(layout)).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(authorizations).toEqual([]);
  });

  it('refuses an engine of another protocol version, naming both', async () => {
    await serve({ status: () => ({ protocolVersion: PROTOCOL_VERSION + 1, version: '9.9.9' }) });
    await expect(connectEngine(layout)).rejects.toMatchObject({
      code: 'not_available',
      message: expect.stringContaining(`protocol ${PROTOCOL_VERSION + 1}`),
    });
  });

  it('gives up on an engine that does not answer', async () => {
    await serve({ status: () => new Promise(() => {}) });
    await expect(connectEngine(layout, { answerMs: 100 })).rejects.toMatchObject({ code: 'timeout' });
  });

  it('ends a call and a stream with not_running when the engine dies', async () => {
    await serve({
      cancelRun: () => new Promise(() => {}),
      async *watch() {
        yield { seq: 1, type: 'idle', json: '{}' };
        await new Promise(() => {});
      },
    });
    using client = await connectEngine(layout);
    const lines = client.stream('watch', { sessionId: 's', follow: true });
    expect((await lines.next()).value).toMatchObject({ seq: 1 });
    const ends = Promise.allSettled([lines.next(), client.call('cancelRun', { sessionId: 's' })]);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await close();
    for (const end of await ends) expect(end).toMatchObject({ reason: { code: 'not_running' } });
    await expect(client.call('status', {})).rejects.toMatchObject({ code: 'not_running' });
  });

  it('ends a call with cancelled when its signal fires', async () => {
    await serve({ cancelRun: () => new Promise(() => {}) });
    using client = await connectEngine(layout);
    const stop = new AbortController();
    const call = client.call('cancelRun', { sessionId: 's' }, stop.signal);
    setTimeout(() => stop.abort(), 20);
    await expect(call).rejects.toMatchObject({ code: 'cancelled' });
    await expect(client.call('cancelRun', { sessionId: 's' }, stop.signal)).rejects.toMatchObject({
      code: 'cancelled',
    });
    expect(await client.call('status', {})).toMatchObject({ version: '9.9.9' });
  });

  it('reconnects to an engine that comes back in time, and not to one that does not', async () => {
    await expect(reconnectEngine(layout, 120)).rejects.toMatchObject({ code: 'not_running' });
    const late = new Promise<void>((resolve) => setTimeout(() => resolve(serve({})), 150));
    using client = await reconnectEngine(layout, 60_000);
    await late;
    expect(await client.call('status', {})).toMatchObject({ version: '9.9.9' });
  });
});
