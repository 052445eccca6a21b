import { randomBytes, timingSafeEqual } from 'node:crypto';
import { chmodSync, lstatSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import {
  createServer,
  type Http2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2';
import { dirname } from 'node:path';
import type { HomeLayout } from '@bulkhead/protocol';
import { CLIENT_REQUEST_BYTES } from '@bulkhead/wire';
import { type ConnectRouter, createConnectRouter } from '@connectrpc/connect';
import { universalRequestFromNodeRequest, universalResponseToNodeResponse } from '@connectrpc/connect-node';
import { GRPC_STATUS } from '../client/error-metadata.ts';
import { registerClientService } from './client-service.ts';
import type { ClientServiceParts } from './client-service-parts.ts';

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
    readMaxBytes: CLIENT_REQUEST_BYTES,
    acceptCompression: [],
    grpcWeb: false,
    connect: false,
  });
  registerClientService(router, parts);
  const server = createServer(requestHandler(router, token, options.onError));
  server.on('session', (session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
    session.on('error', () => session.destroy());
  });
  // Before the socket: who can connect can also find the token.
  rmSync(layout.token, { force: true });
  writeFileSync(layout.token, token, { mode: 0o600, flag: 'wx' });
  await listen(server, layout.socket);
  const inode = lstatSync(layout.socket).ino;
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

/**
 * The token is asked for here, before the router knows of the call: a service's own options replace the router's
 * interceptors, and a check that options can replace is none. The library's own adapter is not used because it writes
 * every client that leaves in mid-stream to the console.
 */
function requestHandler(router: ConnectRouter, token: string, onError: (error: unknown) => void) {
  const expected = Buffer.from(`Bearer ${token}`);
  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]));
  return (request: Http2ServerRequest, response: Http2ServerResponse): void => {
    if (!hasToken(request, expected)) {
      refuse(response);
      return;
    }
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

/**
 * Holding the instance lock, whatever is at the path was left by an engine that is gone, or put there by somebody else.
 * The socket is made under another name and moved over it: what closes the server takes that name away, not `path`.
 */
async function listen(server: Http2Server, path: string): Promise<void> {
  const fresh = `${dirname(path)}/s${process.pid}`;
  rmSync(fresh, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(fresh, () => {
      server.off('error', reject);
      resolve();
    });
  });
  chmodSync(fresh, 0o600);
  renameSync(fresh, path);
}

function removeOwn(path: string, inode: number): void {
  try {
    if (lstatSync(path).ino === inode) rmSync(path, { force: true });
  } catch {
    // Gone already.
  }
}

/** In constant time, so that a token can't be guessed letter by letter. */
function hasToken(request: Http2ServerRequest, expected: Buffer): boolean {
  const given = Buffer.from(request.headers.authorization ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function refuse(response: Http2ServerResponse): void {
  response.writeHead(200, {
    'content-type': 'application/grpc',
    'grpc-status': String(GRPC_STATUS.unauthenticated),
    'grpc-message': 'a valid token is needed',
  });
  response.end();
}
