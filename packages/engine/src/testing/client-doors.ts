import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { GrpcConnection } from '@bulkhead/client/testing';
import { homeLayout } from '@bulkhead/protocol';
import { ClientService } from '@bulkhead/protocol/client';

const CHILD = join(import.meta.dirname, 'client-doors.child.ts');
const NODE = ['--expose-gc', '--experimental-transform-types', '--disable-warning=ExperimentalWarning'];

interface Made {
  /** Sequence number of the last durable event. */
  readonly last: number;
  /** Its open sockets and pipes. */
  readonly open: number;
}

/**
 * Both entry points for clients, in a separate process, until `ended`.
 *
 * @param unreadMs after which a client that reads nothing is closed
 */
export async function clientDoors(folder: string, ended: DisposableStack, unreadMs = 30_000) {
  const args = [...NODE, CHILD, folder, String(unreadMs)];
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, args);
  ended.defer(() => child.kill('SIGKILL'));
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += String(chunk);
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answer = async () => {
    const { value } = await lines.next();
    if (value === undefined) throw new Error(`the service ended: ${errors}`);
    return JSON.parse(value);
  };
  const { address, token } = await answer();
  const { socket, token: tokenPath } = homeLayout(folder);
  const grpcToken = readFileSync(tokenPath, 'utf8');
  const ask = async (order: object) => {
    child.stdin.write(`${JSON.stringify(order)}\n`);
    return await answer();
  };
  return {
    address: new URL(address),
    token,
    socket,
    grpcToken,
    connect: () => ended.use(GrpcConnection.open(socket, grpcToken, 'cli')),
    /** Makes that many answers of a model: four deltas and a durable event of `chars` each. */
    make: (rounds: number, chars = 8_000): Promise<Made> => ask({ rounds, chars }),
    /** Bytes of the service's heap and external memory, after all possible collection. */
    usedBytes: async (): Promise<number> => (await ask({ measure: true })).used,
    /** Ends both entry points and the process. */
    end: async (): Promise<void> => {
      const exit = once(child, 'exit');
      child.stdin.write(`${JSON.stringify({ end: true })}\n`);
      await exit;
    },
  };
}

export type ClientDoors = Awaited<ReturnType<typeof clientDoors>>;

/** A watch over HTTP on a socket that is not read until it is resumed. */
export function unreadHttp({ address, token }: ClientDoors, ended: DisposableStack): Socket {
  const socket = createConnection(Number(address.port), address.hostname).on('error', () => {});
  ended.defer(() => socket.destroy());
  const path = '/api/v1/sessions/s/events?follow=true';
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${address.host}\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  return socket;
}

/** A watch over gRPC with the largest window, on a socket that is not read until it is resumed. */
export function unreadGrpc({ socket: path, grpcToken }: ClientDoors, ended: DisposableStack): Socket {
  const socket = createConnection(path).on('error', () => {});
  ended.defer(() => socket.destroy());
  socket.pause();
  const fields = {
    ':method': 'POST',
    ':scheme': 'http',
    ':authority': 'localhost',
    ':path': `/${ClientService.typeName}/Watch`,
    'content-type': 'application/grpc+proto',
    te: 'trailers',
    authorization: `Bearer ${grpcToken}`,
  };
  const text = (value: string) => {
    if (value.length < 127) return Buffer.concat([Buffer.from([value.length]), Buffer.from(value)]);
    return Buffer.concat([Buffer.from([127, value.length - 127]), Buffer.from(value)]);
  };
  const head = Object.entries(fields).flatMap(([name, value]) => [Buffer.from([0]), text(name), text(value)]);
  // Field 1 the session, field 3 `follow`.
  const message = Buffer.from([0x0a, 1, 0x73, 0x18, 1]);
  const most = Buffer.from([0x7f, 0xff, 0, 0]);
  socket.write(
    Buffer.concat([
      Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
      frame(4, 0, 0, Buffer.concat([Buffer.from([0, 4]), most])),
      frame(8, 0, 0, most),
      frame(1, 4, 1, Buffer.concat(head)),
      frame(0, 1, 1, Buffer.concat([Buffer.from([0, 0, 0, 0, message.length]), message])),
    ]),
  );
  return socket;
}

function frame(type: number, flags: number, stream: number, body: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(body.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, body]);
}
