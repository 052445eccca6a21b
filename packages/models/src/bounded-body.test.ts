import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createGuardedFetch } from './guarded-fetch.ts';

const servers: { close(): void }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A server that sends as long as the client reads. */
async function endless(status: number): Promise<{ readonly url: string; sent(): number }> {
  let sent = 0;
  const block = Buffer.alloc(256 * 1024, 'x');
  const server = createServer((_request, response) => {
    response.writeHead(status);
    const more = (): void => {
      while (!response.destroyed && response.write(block)) sent += block.byteLength;
    };
    response.on('drain', more);
    more();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push({
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent: () => sent };
}

describe('the answer of a server that never stops', () => {
  it.each([
    [400, 1],
    [200, 64],
  ])('with status %d is read up to %d MB, and then is an error [FT68]', async (status, megabytes) => {
    const { url, sent } = await endless(status);
    const response = await createGuardedFetch(url)(`${url}/v1/x`);
    await expect(response.text()).rejects.toThrow('more than');
    expect(sent()).toBeLessThan((megabytes + 16) * 1024 * 1024);
  });

  it('is passed on as it is while it is of a size that answers have', async () => {
    const server = createServer((_request, response) => response.end('a whole answer'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    servers.push(server);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const response = await createGuardedFetch(url)(`${url}/v1/x`);
    expect(response.status).toBe(200);
    await expect(response.text()).resolves.toBe('a whole answer');
  });
});
