import { createServer, type Server } from 'node:http';
import { systemTimers } from '@bulkhead/protocol';
import { afterEach, expect, it } from 'vitest';
import { parseAllowList } from './allow-list.ts';
import { dialAddress } from './dial-address.ts';
import { EgressBroker } from './egress-broker.ts';
import { parseHostPatterns } from './host-patterns.ts';
import { parseOpenings } from './private-openings.ts';
import { VettedAddress } from './vetted-address.ts';
import { parseWebUrl } from './web-url.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A server at one of the many addresses of this machine, and the requests that reached it. */
async function serverAt(
  address: string,
  port = 0,
): Promise<{ readonly port: number; readonly reached: string[] }> {
  const reached: string[] = [];
  const server = createServer(({ socket, headers }, response) => {
    reached.push(`${headers.host} at ${socket.localAddress}`);
    response.setHeader('connection', 'close').end(address);
  });
  servers.push(server);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, address, resolve));
  const bound = server.address();
  return { port: typeof bound === 'object' && bound !== null ? bound.port : 0, reached };
}

it('real sockets lead to the address that was vetted, whatever the name says a moment later [FT28] [FT30] [B4]', async () => {
  const meant = await serverAt('127.0.0.2');
  const decoy = await serverAt('127.0.0.1', meant.port);
  const answers = [['127.0.0.2'], ['127.0.0.1']];
  const broker = new EgressBroker({
    resolve: () => Promise.resolve(answers.shift() ?? []),
    localNetworks: () => [],
    timers: systemTimers,
    dial: dialAddress,
    hosts: parseHostPatterns([]),
    plainHosts: parseHostPatterns([]),
    openings: parseOpenings([`a.localhost:${meant.port}`]),
  });
  const fetchOnce = () =>
    broker.fetch(
      { url: parseWebUrl(`http://a.localhost:${meant.port}/`), method: 'GET', headers: [], body: undefined },
      {
        allow: parseAllowList({ hosts: ['a.localhost'], ports: [meant.port] }),
        redirects: 'none',
        maxBytes: 100,
        timeoutMs: 5_000,
      },
      AbortSignal.timeout(5_000),
    );
  const first = await fetchOnce();
  expect([first.body.toString(), first.peers]).toEqual(['127.0.0.2', ['127.0.0.2']]);
  expect(meant.reached).toEqual([`a.localhost:${meant.port} at 127.0.0.2`]);
  expect(decoy.reached).toEqual([]);
  // The control: the decoy runs, and a client that dials it reaches it.
  const second = await fetchOnce();
  expect([second.body.toString(), second.peers]).toEqual(['127.0.0.1', ['127.0.0.1']]);
});

it('nothing but a vetted address is dialled', async () => {
  const forged: VettedAddress = Object.create(VettedAddress.prototype);
  const limits = { timers: systemTimers, timeoutMs: 1_000, signal: AbortSignal.timeout(1_000) };
  await expect(dialAddress(forged, 80, limits)).rejects.toMatchObject({ code: 'internal' });
});
