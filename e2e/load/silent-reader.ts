import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { connect as connectSocket } from 'node:net';
import type { Readable } from 'node:stream';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import type { HomeLayout } from '@bulkhead/protocol';
import { ClientService, WatchRequestSchema, WatchResponseSchema } from '@bulkhead/protocol/client';
import type { WebClient } from '../support/web-client.ts';

export interface Target {
  readonly layout: HomeLayout;
  readonly web: WebClient;
  readonly sessionId: string;
}

export type ReaderKind = 'websocket' | 'grpc';

interface SeenEvent {
  readonly seq: number;
  readonly type: string;
  readonly ephemeral: boolean;
}

/** A client that asks for the events of a session, and reads none until it is asked to. */
export interface SilentReader extends Disposable {
  /** Reads from now on. @returns all events, once there are enough */
  readUntil(enough: (events: readonly SeenEvent[]) => boolean): Promise<readonly SeenEvent[]>;
}

export function silentReader(kind: ReaderKind, target: Target): Promise<SilentReader> {
  return kind === 'websocket' ? silentWebSocket(target) : silentGrpc(target);
}

async function silentWebSocket({ web, sessionId }: Target): Promise<SilentReader> {
  const [host = '', port = ''] = web.host.split(':');
  const socket = connectSocket(Number(port), host);
  await once(socket, 'connect');
  socket.on('error', () => {});
  const head = [
    `GET /api/v1/stream?session=${sessionId}&after=0 HTTP/1.1`,
    `Host: ${web.host}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
    `Authorization: ${web.bearer.authorization}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  const [first] = await once(socket, 'data');
  socket.pause();
  const end = first.indexOf('\r\n\r\n') + 4;
  return {
    readUntil: (enough) => readEvents(socket, first.subarray(end), webSocketFrame, enough),
    [Symbol.dispose]: () => void socket.destroy(),
  };
}

async function silentGrpc({ layout, sessionId }: Target): Promise<SilentReader> {
  const session = connectHttp2('http://localhost', { createConnection: () => connectSocket(layout.socket) });
  session.on('error', () => {});
  const stream = session.request({
    ':method': 'POST',
    ':path': `/${ClientService.typeName}/Watch`,
    'content-type': 'application/grpc+proto',
    te: 'trailers',
    authorization: `Bearer ${readFileSync(layout.token, 'utf8')}`,
  });
  stream.on('error', () => {});
  // Without reading, no new window is granted: the stream brings one window and no more.
  stream.pause();
  const request = toBinary(WatchRequestSchema, create(WatchRequestSchema, { sessionId, follow: true }));
  const head = Buffer.alloc(5);
  head.writeUInt32BE(request.length, 1);
  stream.end(Buffer.concat([head, request]));
  await once(stream, 'response');
  return {
    readUntil: (enough) => readEvents(stream, Buffer.alloc(0), grpcFrame, enough),
    [Symbol.dispose]: () => session.destroy(),
  };
}

interface Frame {
  readonly event: SeenEvent | undefined;
  readonly bytes: number;
}

async function readEvents(
  from: Readable,
  start: Buffer,
  frameOf: (bytes: Buffer) => Frame | undefined,
  enough: (events: readonly SeenEvent[]) => boolean,
): Promise<readonly SeenEvent[]> {
  const events: SeenEvent[] = [];
  let rest = start;
  from.resume();
  for await (const chunk of from) {
    rest = Buffer.concat([rest, chunk]);
    for (let frame = frameOf(rest); frame !== undefined; frame = frameOf(rest)) {
      rest = rest.subarray(frame.bytes);
      if (frame.event !== undefined) events.push(frame.event);
    }
    if (enough(events)) break;
  }
  return events;
}

/** RFC 6455, section 5.2: frames of a server are not masked. Pings are none of ours. */
function webSocketFrame(bytes: Buffer): Frame | undefined {
  if (bytes.length < 2) return undefined;
  const [isText, short] = [(bytes.readUInt8(0) & 15) === 1, bytes.readUInt8(1) & 127];
  const head = { 126: 4, 127: 10 }[short] ?? 2;
  if (bytes.length < head) return undefined;
  const sizes: Readonly<Record<number, () => number>> = {
    4: () => bytes.readUInt16BE(2),
    10: () => Number(bytes.readBigUInt64BE(2)),
  };
  const length = sizes[head]?.() ?? short;
  if (bytes.length < head + length) return undefined;
  const text = bytes.subarray(head, head + length).toString();
  return { bytes: head + length, event: isText ? eventOf(JSON.parse(text)) : undefined };
}

function grpcFrame(bytes: Buffer): Frame | undefined {
  if (bytes.length < 5) return undefined;
  const end = 5 + bytes.readUInt32BE(1);
  if (bytes.length < end) return undefined;
  return { bytes: end, event: fromBinary(WatchResponseSchema, bytes.subarray(5, end)) };
}

function eventOf(value: unknown): SeenEvent | undefined {
  if (typeof value !== 'object' || value === null || !('seq' in value) || !('type' in value))
    return undefined;
  return { seq: Number(value.seq), type: String(value.type), ephemeral: 'ephemeral' in value };
}
