import type { Socket } from 'node:net';
import { BulkheadError, type Timers } from '@bulkhead/protocol';
import { type AllowList, type Destination, type EgressBroker, type Host, parseHost } from '@bulkhead/tools';
import { readClientHello } from './client-hello.ts';
import { endWith, type ProxyTraffic, piecesOf } from './proxy-traffic.ts';

export interface ProxyParts {
  readonly broker: Pick<EgressBroker, 'connect' | 'objectionTo'>;
  readonly allow: AllowList;
  readonly traffic: ProxyTraffic;
  readonly timers: Timers;
  readonly limits: ProxyLimits;
}

export interface ProxyLimits {
  /** Connections at once. */
  readonly connections: number;
  /** Bytes of all connections of the action, both ways. */
  readonly bytes: number;
  /** Silence that ends a connection. */
  readonly idleMs: number;
  /** From the answer to a CONNECT to the end of the client's hello. */
  readonly helloMs: number;
}

const ESTABLISHED = 'HTTP/1.1 200 Connection Established\r\n\r\n';
const PORT = /^[1-9]\d{0,4}$/;

/**
 * A CONNECT: TLS to exactly the named host. The hello's server name is compared before a byte goes
 * out, so an allowed host can't act as a front for another [FT31]. The content of TLS is not seen.
 *
 * @param authority the request's target, `host:port`
 * @param head the first bytes, which came with it
 * @throws BulkheadError `blocked` and `invalid_arguments` before anything was answered; else the
 *   connections just end
 */
export async function tunnel(
  parts: ProxyParts,
  authority: string,
  client: Socket,
  head: Buffer,
  signal: AbortSignal,
): Promise<void> {
  const { host, port } = parseAuthority(authority);
  const upstream = await connectAllowed(parts, { host, port, plain: false }, signal);
  using _ends = endWith(signal, parts.limits.idleMs, client, upstream);
  parts.traffic.reach(`${host.text}:${port}`);
  client.write(ESTABLISHED);
  if (head.length > 0) client.unshift(head);
  const pieces = piecesOf(client);
  const hello = await readHello(parts, host, client, pieces);
  if (hello === undefined) return;
  upstream.write(hello);
  await Promise.all([
    parts.traffic.carry(pieces, upstream, signal),
    parts.traffic.carry(piecesOf(upstream), client, signal),
  ]);
}

/**
 * Connects as the broker does, and records a place that only the action's list forbids.
 *
 * @throws BulkheadError `blocked`, with the detail `needs` for such a place; as the broker does
 */
export async function connectAllowed(
  { broker, allow, traffic }: ProxyParts,
  destination: Destination,
  signal: AbortSignal,
): Promise<Socket> {
  const { host, port } = destination;
  if (allow.admits(host, port)) return await broker.connect(destination, allow, signal);
  const objection = broker.objectionTo(destination);
  if (objection !== undefined) throw objection;
  const place = `${host.text}:${port}`;
  traffic.need(place);
  throw new BulkheadError('blocked', `this command may not reach ${place}`, { details: { needs: place } });
}

/** @throws BulkheadError `invalid_arguments` */
function parseAuthority(authority: string): { readonly host: Host; readonly port: number } {
  const colon = authority.lastIndexOf(':');
  const host = parseHost(authority.slice(0, Math.max(colon, 0)));
  const port = authority.slice(colon + 1);
  if (typeof host === 'string' || !PORT.test(port) || Number(port) > 65_535) {
    throw new BulkheadError(
      'invalid_arguments',
      `${JSON.stringify(authority.slice(0, 200))} is no host with a port`,
    );
  }
  return { host, port: Number(port) };
}

/** The bytes of a hello that names `host`; undefined, and recorded, for any other. */
async function readHello(
  { traffic, timers, limits }: ProxyParts,
  host: Host,
  client: Socket,
  pieces: AsyncIterator<Buffer>,
): Promise<Buffer | undefined> {
  using _late = timers.after(limits.helloMs, () => client.destroy());
  let bytes: Buffer = Buffer.alloc(0);
  for (;;) {
    const { done, value } = await pieces.next();
    if (done === true) return undefined;
    bytes = Buffer.concat([bytes, value]);
    const hello = readClientHello(bytes);
    if (hello.state === 'more') continue;
    const why = hello.state === 'refused' ? hello.why : nameProblem(hello.serverName, host);
    if (why === undefined) return bytes;
    traffic.refuse(`${host.text}: ${why}`);
    return undefined;
  }
}

function nameProblem(serverName: string | undefined, host: Host): string | undefined {
  // An address is never a server name (RFC 6066).
  const expected = host.kind === 'name' ? host.text : undefined;
  if (serverName?.toLowerCase() === expected) return undefined;
  return `the TLS client hello is for ${serverName === undefined ? 'nobody' : JSON.stringify(serverName.slice(0, 253))}`;
}
