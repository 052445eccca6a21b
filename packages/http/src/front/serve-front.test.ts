import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { type Door, serveFront } from './serve-front.ts';

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

const door: Door = {
  handle: async (_request, response: ServerResponse) => void response.end('by the door'),
  upgrade: async (_request, socket) => void socket.destroy(),
  close: () => {},
};

const failing = () => Promise.reject(new Error('not now'));

describe('serveFront', () => {
  it('answers /healthz alone and loads the door at the first other request, once', async () => {
    let loads = 0;
    const front = await serveFront({
      port: 0,
      isReady: () => true,
      onError: () => {},
      load: async () => {
        loads += 1;
        return door;
      },
    });
    try {
      const health = await fetch(`${front.address}/healthz`);
      expect([health.status, loads]).toEqual([200, 0]);
      expect(await health.json()).toEqual({ status: 'ok' });
      const texts = await Promise.all(
        ['/', '/healthz/', '/x'].map(async (path) => (await fetch(`${front.address}${path}`)).text()),
      );
      expect(texts).toEqual(['by the door', 'by the door', 'by the door']);
      expect(loads).toBe(1);
    } finally {
      await front.close();
    }
  });

  it('tells everybody to come again until the engine is ready, and loads no door before [P8]', async () => {
    let isReady = false;
    let loads = 0;
    const load = async (): Promise<Door> => {
      loads += 1;
      return {
        handle: async (_request, response) => void response.end('by the door'),
        upgrade: async (_request, socket) => void socket.destroy(),
        close: () => {},
      };
    };
    const front = await serveFront({ port: 0, isReady: () => isReady, onError: () => {}, load });
    try {
      for (const path of ['/healthz', '/', '/v1/models', '/api/v1/sessions']) {
        const early = await fetch(`${front.address}${path}`);
        expect([path, early.status, Number(early.headers.get('retry-after')) > 0]).toEqual([path, 503, true]);
        expect(await early.json()).toMatchObject({
          error: { code: 'not_running', message: 'the engine is starting' },
        });
      }
      expect(loads).toBe(0);
      isReady = true;
      expect((await fetch(`${front.address}/healthz`)).status).toBe(200);
      expect(await (await fetch(`${front.address}/`)).text()).toBe('by the door');
    } finally {
      await front.close();
    }
  });

  it('hides its presence from foreign hosts and pages, and its name from everyone [FT46] [I5]', async () => {
    const front = await serveFront({ port: 0, isReady: () => true, onError: () => {}, load: failing });
    const port = Number(front.address.split(':')[2]);
    try {
      const foreign: readonly Readonly<Record<string, string>>[] = [
        { host: 'evil.example' },
        { host: `evil.example:${port}` },
        { host: `127.0.0.1:${port + 1}` },
        { origin: 'http://evil.example' },
        { origin: 'null' },
        { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
      ];
      for (const headers of foreign) {
        const { status, text } = await health(port, headers);
        expect([headers, status, text.includes('ok')]).toEqual([headers, 403, false]);
      }
      for (const name of ['127.0.0.1', 'localhost', '[::1]']) {
        const { status, text, headers } = await health(port, { host: `${name}:${port}` });
        expect([status, text]).toEqual([200, '{"status":"ok"}']);
        expect(Object.keys(headers).filter((one) => one.startsWith('access-control'))).toEqual([]);
        expect(headers).toMatchObject({
          'cross-origin-resource-policy': 'same-origin',
          'x-content-type-options': 'nosniff',
          'cache-control': 'no-store',
        });
        expect(JSON.stringify(headers)).not.toMatch(/bulkhead|\d+\.\d+\.\d+"/i);
      }
    } finally {
      await front.close();
    }
  });

  it('says so where the door can not be opened, and tries again at the next request', async () => {
    const errors: unknown[] = [];
    let load: () => Promise<Door> = failing;
    const front = await serveFront({
      port: 0,
      isReady: () => true,
      onError: (error) => errors.push(error),
      load: () => load(),
    });
    try {
      expect((await fetch(front.address)).status).toBe(500);
      expect((await fetch(`${front.address}/healthz`)).status).toBe(200);
      load = async () => door;
      expect(await (await fetch(front.address)).text()).toBe('by the door');
      expect(errors).toHaveLength(1);
    } finally {
      await front.close();
    }
  });

  it('refuses a configured port that is taken, saying how to mend it', async () => {
    await withTakenPort(async (port) => {
      await expect(
        serveFront({ port, isReady: () => true, onError: () => {}, load: failing }),
      ).rejects.toMatchObject({
        code: 'not_available',
        message: expect.stringContaining(`port ${port}`),
        fix: expect.stringContaining('server.port'),
      });
    });
  });

  it('listens on the port of the last start, and keeps and names another one while that is taken [I3]', {
    timeout: 60_000,
  }, async () => {
    let port: number | undefined;
    const keep = (used: number) => {
      port = used;
    };
    const kept = { read: () => port, keep };
    const open = () =>
      serveFront({ port: undefined, kept, isReady: () => true, onError: () => {}, load: failing });
    await withTakenPort(async (taken) => {
      port = taken;
      const front = await open();
      expect(front.notice).toContain(`port ${taken}`);
      expect(front.address).toBe(`http://127.0.0.1:${port}`);
      expect(port).not.toBe(taken);
      await front.close();
      const next = await open();
      expect(next).toMatchObject({ address: front.address, notice: undefined });
      await next.close();
    });
  });

  it('keeps accepting despite silent sockets: the oldest of them make room [FT49]', async () => {
    const front = await serveFront({ port: 0, isReady: () => true, onError: () => {}, load: failing });
    const port = Number(front.address.split(':')[2]);
    const idle: Socket[] = [];
    try {
      for (let count = 0; count < 300; count += 1) idle.push(await opened(port));
      const health = await fetch(`${front.address}/healthz`);
      expect(health.status).toBe(200);
      await Promise.all(idle.slice(0, 160).map((socket) => socket.destroyed || once(socket, 'close')));
      expect(idle.filter((socket) => !socket.destroyed).length).toBeLessThanOrEqual(128);
    } finally {
      for (const socket of idle) socket.destroy();
      await front.close();
    }
  });

  it('ends a socket that sends its headers letter by letter, or nothing [FT49]', async () => {
    const front = await serveFront({ port: 0, isReady: () => true, onError: () => {}, load: failing });
    const port = Number(front.address.split(':')[2]);
    try {
      await Promise.all([untilClosed(port, 'GET / HT'), untilClosed(port, '')]);
    } finally {
      await front.close();
    }
  });

  it('gives headers 5 s, a whole request 30 s and a quiet socket 5 s [FT49]', async () => {
    const servers: unknown[] = [];
    const note = (message: unknown) => {
      if (typeof message === 'object' && message !== null && 'server' in message)
        servers.push(message.server);
    };
    subscribe('http.server.request.start', note);
    const front = await serveFront({ port: 0, isReady: () => true, onError: () => {}, load: failing });
    try {
      await (await fetch(`${front.address}/healthz`)).text();
      const limits = { headersTimeout: 5_000, requestTimeout: 30_000, keepAliveTimeout: 30_000 };
      expect(servers).toEqual([expect.objectContaining(limits)]);
    } finally {
      unsubscribe('http.server.request.start', note);
      await front.close();
    }
  });
});

/** Asks for `/healthz` with these headers. */
async function health(port: number, headers: Readonly<Record<string, string>>) {
  const sent = request({ port, host: '127.0.0.1', path: '/healthz', headers, agent: false });
  sent.end();
  const [response] = await once(sent, 'response');
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return { status: response.statusCode, headers: response.headers, text };
}

async function opened(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.resume();
  await once(socket, 'connect');
  return socket;
}

async function untilClosed(port: number, text: string): Promise<void> {
  const socket = await opened(port);
  socket.write(text);
  await once(socket, 'close');
}
