import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createConnection, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Two ends of one unix socket connection in this process. */
export interface SocketPair extends AsyncDisposable {
  readonly engine: Socket;
  readonly peer: Socket;
}

export async function socketPair(): Promise<SocketPair> {
  const folder = await mkdtemp(join(tmpdir(), 'bulkhead-pair-'));
  const server = createServer();
  try {
    server.listen(join(folder, 's'));
    await once(server, 'listening');
    const accepted = once(server, 'connection');
    const peer = createConnection(join(folder, 's'));
    const [engine]: Socket[] = await accepted;
    if (engine === undefined) throw new Error('no connection came');
    peer.on('error', () => undefined);
    return {
      engine,
      peer,
      [Symbol.asyncDispose]: async () => {
        engine.destroy();
        peer.destroy();
      },
    };
  } finally {
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
}
