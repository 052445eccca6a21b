import { once } from 'node:events';
import { request as ask, createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** An HTTP proxy on loopback whose tunnels, and so the WebSockets in them, can be torn off. */
export interface CuttingProxy extends AsyncDisposable {
  readonly address: string;
  /** Destroys every open tunnel. @returns how many there were */
  cut(): number;
}

export async function startCuttingProxy(): Promise<CuttingProxy> {
  const tunnels = new Set<Socket>();
  const server = createServer((request, response) => {
    const { pathname, search, hostname, port } = new URL(request.url ?? '');
    const { method, headers } = request;
    const onward = ask({ hostname, port, path: pathname + search, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  server.on('connect', (request, client: Socket) => {
    const { hostname, port } = new URL(`http://${request.url}`);
    const onward = connect(Number(port), hostname, () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.pipe(client).pipe(onward);
    });
    tunnels.add(client);
    for (const [one, other] of [
      [client, onward],
      [onward, client],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => {
        tunnels.delete(client);
        other.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address: AddressInfo | string | null = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    address: `http://127.0.0.1:${port}`,
    cut: () => {
      const open = [...tunnels];
      for (const tunnel of open) tunnel.destroy();
      return open.length;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      for (const tunnel of tunnels) tunnel.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
