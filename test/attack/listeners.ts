import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';

/**
 * Counts arrivals on the host, independent of the attacker's report. Each caller is greeted with
 * the canary.
 */
export interface Listeners extends AsyncDisposable {
  readonly ports: {
    readonly tcp4: number;
    readonly tcp6: number;
    readonly udp4: number;
    readonly udp6: number;
  };
  /** Connections and datagrams so far, by listener. */
  readonly arrived: ReadonlyMap<string, number>;
  /** Adds an arrival that is observed elsewhere. */
  add(name: string): void;
}

/** The listener in the box's own folder, where a box may see it. */
export const IN_WORK = 'unix-in-work';

/** An unusable port: if the machine has no such protocol, the control fails and proves nothing. */
const NO_PORT = 1;

/**
 * @param canary greeting
 * @param paths path of a socket outside, of one in the box's own folder, and an abstract name
 */
export async function listen(
  canary: string,
  paths: { readonly outside: string; readonly work: string; readonly abstract: string },
): Promise<Listeners> {
  const arrived = new Map<string, number>();
  const add = (name: string): void => {
    arrived.set(name, (arrived.get(name) ?? 0) + 1);
  };
  const open = new Set<Socket>();
  const closers: (() => Promise<unknown>)[] = [];

  const stream = async (name: string, where: string | { port: number; host: string }): Promise<number> => {
    const server = createServer((socket) => {
      add(name);
      open.add(socket);
      socket.on('close', () => open.delete(socket));
      socket.on('error', () => socket.destroy());
      socket.end(canary);
    });
    if (typeof where === 'string') server.listen(where);
    else server.listen(where.port, where.host);
    const up = await once(server, 'listening').catch(() => undefined);
    if (up === undefined) return NO_PORT;
    if (typeof where === 'string' && where.startsWith('/')) chmodSync(where, 0o777);
    closers.push(() => new Promise((resolve) => server.close(resolve)));
    return portOf(server);
  };
  const datagrams = async (name: string, kind: 'udp4' | 'udp6', host: string): Promise<number> => {
    const socket = createSocket(kind, () => add(name));
    socket.bind(0, host);
    const up = await once(socket, 'listening').catch(() => undefined);
    if (up === undefined) return NO_PORT;
    closers.push(() => new Promise<void>((resolve) => socket.close(resolve)));
    return socket.address().port;
  };

  const ports = {
    tcp4: await stream('tcp4', { port: 0, host: '127.0.0.1' }),
    tcp6: await stream('tcp6', { port: 0, host: '::1' }),
    udp4: await datagrams('udp4', 'udp4', '127.0.0.1'),
    udp6: await datagrams('udp6', 'udp6', '::1'),
  };
  await stream('unix', paths.outside);
  await stream(IN_WORK, paths.work);
  await stream('abstract', `\0${paths.abstract}`);
  return {
    ports,
    arrived,
    add,
    [Symbol.asyncDispose]: async () => {
      for (const socket of open) socket.destroy();
      await Promise.all(closers.map((close) => close()));
    },
  };
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : NO_PORT;
}
