import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { connect as connectSocket, type Socket } from 'node:net';
import { create, toBinary } from '@bufbuild/protobuf';
import type { HomeLayout } from '@bulkhead/protocol';
import { WatchRequestSchema } from '@bulkhead/protocol/client';
import type { WebClient } from '../support/web-client.ts';

export interface Target {
  readonly layout: HomeLayout;
  readonly web: WebClient;
  readonly sessionId: string;
}

/** A client that asks for the events of a session, and never takes one from its socket. */
export function silentReader(
  kind: 'websocket' | 'grpc',
  target: Target,
): Promise<Disposable & { readonly socket: Socket }> {
  return kind === 'websocket' ? silentWebSocket(target) : silentGrpc(target);
}

async function silentWebSocket({ web, sessionId }: Target) {
  const [host = '', port = ''] = web.host.split(':');
  const socket = connectSocket(Number(port), host);
  await once(socket, 'connect');
  socket.on('error', () => {});
  socket.write(
    [
      `GET /api/v1/stream?session=${sessionId}&after=0 HTTP/1.1`,
      `Host: ${web.host}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
      `Authorization: ${web.bearer.authorization}`,
      '\r\n',
    ].join('\r\n'),
  );
  await once(socket, 'data');
  socket.pause();
  return { socket, [Symbol.dispose]: () => void socket.destroy() };
}

async function silentGrpc({ layout, sessionId }: Target) {
  const socket = connectSocket(layout.socket);
  await once(socket, 'connect');
  const session = connectHttp2('http://localhost', { createConnection: () => socket });
  session.on('error', () => {});
  const stream = session.request({
    ':method': 'POST',
    ':path': '/bulkhead.client.v1.ClientService/Watch',
    'content-type': 'application/grpc+proto',
    te: 'trailers',
    authorization: `Bearer ${readFileSync(layout.token, 'utf8')}`,
  });
  stream.on('error', () => {});
  const message = toBinary(WatchRequestSchema, create(WatchRequestSchema, { sessionId, follow: true }));
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  stream.end(Buffer.concat([head, message]));
  await once(stream, 'response');
  stream.pause();
  socket.pause();
  return { socket, [Symbol.dispose]: () => session.destroy() };
}
