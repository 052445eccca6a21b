import { randomBytes, timingSafeEqual } from 'node:crypto';
import { chmodSync, rmSync, statSync, writeFileSync } from 'node:fs';
import {
  createServer,
  type Http2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2';
import type { HomeLayout } from '@bulkhead/protocol';
import {
  Code,
  ConnectError,
  type ConnectRouter,
  createConnectRouter,
  type Interceptor,
} from '@connectrpc/connect';
import { universalRequestFromNodeRequest, universalResponseToNodeResponse } from '@connectrpc/connect-node';
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
export async function serveClients(
  layout: HomeLayout,
  parts: ClientServiceParts,
  options: { readonly onError: (error: unknown) => void },
): Promise<ClientServer> {
  const token = randomBytes(32).toString('hex');
  const sessions = new Set<ServerHttp2Session>();
  const router = createConnectRouter({
    interceptors: [requireToken(token)],
    readMaxBytes: MAX_REQUEST_BYTES,
    acceptCompression: [],
    grpcWeb: false,
    connect: false,
  });
  registerClientService(router, parts);
  const server = createServer(requestHandler(router, options.onError));
  server.on('session', (session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
    session.on('error', () => session.destroy());
  });
  // Before the socket: who can connect can also find the token.
  rmSync(layout.token, { force: true });
  writeFileSync(layout.token, token, { mode: 0o600, flag: 'wx' });
  await listen(server, layout.socket);
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

/** The library's own adapter writes every client that leaves in mid-stream to the console. */
function requestHandler(router: ConnectRouter, onError: (error: unknown) => void) {
  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]));
  return (request: Http2ServerRequest, response: Http2ServerResponse): void => {
    const handler = handlers.get(request.url);
    if (handler === undefined) {
      response.writeHead(404).end();
      return;
    }
    handler(universalRequestFromNodeRequest(request, response, undefined, undefined))
      .then((answer) => universalResponseToNodeResponse(answer, response))
      .catch(onError);
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
