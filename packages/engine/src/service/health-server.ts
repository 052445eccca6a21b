import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BulkheadError, PRODUCT_VERSION } from '@bulkhead/protocol';

/** The contract's port. */
const DEFAULT_PORT = 7411;
const HOST = '127.0.0.1';

export interface HealthServer {
  readonly address: string;
  /** Set if the usual port was taken and another one is used. */
  readonly notice: string | undefined;
  close(): Promise<void>;
}

/**
 * The HTTP door as far as it is built: `/healthz` answers, everything else says what is to come.
 *
 * @param port as configured; undefined: the usual one, or, if that is taken, any free one with a notice
 * @throws BulkheadError `not_available` if a configured port is taken
 */
export async function serveHealth(port: number | undefined): Promise<HealthServer> {
  const wanted = port ?? DEFAULT_PORT;
  const first = await tryListen(wanted);
  if (first !== undefined) return started(first, undefined);
  const taken = `port ${wanted} on ${HOST} is taken by another program`;
  const second = port === undefined ? await tryListen(0) : undefined;
  if (second === undefined) {
    throw new BulkheadError('not_available', taken, {
      fix: 'Set server.port in config.yaml to a free port, or to 0 for any.',
    });
  }
  return started(
    second,
    `${taken}: ${addressOf(second)} is used instead. Set server.port in config.yaml to choose one.`,
  );
}

function started(server: Server, notice: string | undefined): HealthServer {
  return {
    address: addressOf(server),
    notice,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function tryListen(port: number): Promise<Server | undefined> {
  const server = createServer({ requestTimeout: 5_000, headersTimeout: 5_000 }, (request, response) => {
    const healthy = request.method === 'GET' && request.url === '/healthz';
    response.writeHead(healthy ? 200 : 404, {
      'content-type': 'application/json',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    response.end(
      JSON.stringify(
        healthy
          ? { status: 'ok', version: PRODUCT_VERSION }
          : { error: 'not_found', message: 'The web page and API are not built yet; /healthz answers.' },
      ),
    );
  });
  server.maxConnections = 64;
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(undefined);
      else reject(error);
    });
    server.listen(port, HOST, () => resolve(server));
  });
}

function addressOf(server: Server): string {
  const address: AddressInfo | string | null = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return `http://${HOST}:${port}`;
}
