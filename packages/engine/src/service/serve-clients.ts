import { randomBytes, timingSafeEqual } from 'node:crypto';
import { chmodSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Http2Server, type ServerHttp2Session } from 'node:http2';
import type { HomeLayout } from '@bulkhead/protocol';
import { Code, ConnectError, type Interceptor } from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { type ClientServiceParts, registerClientService } from './client-service.ts';

/** Largest message a client may send, in bytes. */
const MAX_REQUEST_BYTES = 8 * 1024 * 1024;

export interface ClientServer {
  close(): Promise<void>;
}

/**
 * Serves clients on a socket in a 0700 folder; every call needs the token of this engine's life. Agents and
 * workers have neither the folder nor the token [P7].
 */
export async function serveClients(layout: HomeLayout, parts: ClientServiceParts): Promise<ClientServer> {
  const token = randomBytes(32).toString('hex');
  const sessions = new Set<ServerHttp2Session>();
  const server = createServer(
    connectNodeAdapter({
      routes: (router) => registerClientService(router, parts),
      interceptors: [requireToken(token)],
      readMaxBytes: MAX_REQUEST_BYTES,
    }),
  );
  server.on('session', (session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
    session.on('error', () => session.destroy());
  });
  await listen(server, layout.socket);
  writeFileSync(layout.token, token, { mode: 0o600 });
  chmodSync(layout.token, 0o600);
  const inode = statSync(layout.socket).ino;
  return {
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const session of sessions) session.close();
      const timer = setTimeout(() => {
        for (const session of sessions) session.destroy();
      }, 200);
      await closed;
      clearTimeout(timer);
      removeOwn(layout.socket, inode);
      rmSync(layout.token, { force: true });
    },
  };
}

/** Holding the instance lock, whatever socket file is there was left by an engine that is gone. */
async function listen(server: Http2Server, path: string): Promise<void> {
  rmSync(path, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      chmodSync(path, 0o600);
      resolve();
    });
  });
}

function removeOwn(path: string, inode: number): void {
  try {
    if (statSync(path).ino === inode) rmSync(path, { force: true });
  } catch {
    // Gone already.
  }
}

function requireToken(token: string): Interceptor {
  const expected = Buffer.from(`Bearer ${token}`);
  return (next) => async (request) => {
    const given = Buffer.from(request.header.get('authorization') ?? '');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      throw new ConnectError('a valid token is needed', Code.Unauthenticated);
    }
    return await next(request);
  };
}
