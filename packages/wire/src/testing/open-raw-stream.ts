import { type ClientHttp2Stream, connect } from 'node:http2';
import type { Socket } from 'node:net';

/** What a gRPC client sends to call `path`. */
export function grpcHeaders(path: string): Readonly<Record<string, string>> {
  return { ':method': 'POST', ':path': path, 'content-type': 'application/grpc+proto', te: 'trailers' };
}

/** A process that speaks HTTP/2 and then whatever a test wants. What it is told is thrown away. */
export function openRawStream(socket: Socket, headers: Readonly<Record<string, string>>): ClientHttp2Stream {
  const session = connect('http://engine', { createConnection: () => socket });
  session.on('error', () => undefined);
  const stream = session.request(headers);
  stream.on('error', () => undefined);
  stream.resume();
  return stream;
}
