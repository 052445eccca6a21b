import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { serveHealth } from './health-server.ts';

async function withTakenPort(use: (port: number) => Promise<void>): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address() as AddressInfo;
  try {
    await use(address.port);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

describe('serveHealth', () => {
  it('answers /healthz on loopback and says what is to come elsewhere', async () => {
    const server = await serveHealth(0);
    try {
      const health = await fetch(`${server.address}/healthz`);
      expect(health.status).toBe(200);
      expect(await health.json()).toMatchObject({ status: 'ok' });
      const other = await fetch(`${server.address}/`);
      expect(other.status).toBe(404);
      expect(await other.text()).toContain('not built yet');
    } finally {
      await server.close();
    }
  });

  it('refuses a configured port that is taken, saying how to mend it', async () => {
    await withTakenPort(async (port) => {
      await expect(serveHealth(port)).rejects.toMatchObject({
        code: 'not_available',
        message: expect.stringContaining(`port ${port}`),
        fix: expect.stringContaining('server.port'),
      });
    });
  });
});
