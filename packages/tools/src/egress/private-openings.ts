import { BulkheadError } from '@bulkhead/protocol';
import type { AddressClass } from './address-class.ts';
import { type Host, parseHost } from './host.ts';

/**
 * Places in the user's private network that the web tools may reach. Only the user opens them; each
 * entry is one host with one port.
 */
export interface PrivateOpenings {
  /** The classes of address besides `public` that this host and port may have. */
  opened(host: Host, port: number): ReadonlySet<AddressClass>;
}

const NOTHING: ReadonlySet<AddressClass> = new Set();
/** An address is opened as itself, even one of this machine. */
const BY_ADDRESS: ReadonlySet<AddressClass> = new Set(['loopback', 'private', 'local']);
/**
 * A name may resolve differently later: a name of the network must not become one of this machine.
 */
const BY_NAME: ReadonlySet<AddressClass> = new Set(['private', 'local']);
const LOCALHOST: ReadonlySet<AddressClass> = new Set(['loopback']);

/**
 * @param entries each `host:port`, `address:port` or `[address]:port`
 * @throws BulkheadError `config_invalid` naming the entry
 */
export function parseOpenings(entries: readonly string[]): PrivateOpenings {
  const opened = new Map(entries.map((entry) => parseOpening(entry)));
  return { opened: (host, port) => opened.get(`${host.text}:${port}`) ?? NOTHING };
}

function parseOpening(entry: string): readonly [string, ReadonlySet<AddressClass>] {
  const colon = entry.lastIndexOf(':');
  const port = entry.slice(colon + 1);
  const host = parseHost(entry.slice(0, Math.max(colon, 0)));
  if (typeof host === 'string' || !/^[1-9]\d{0,4}$/.test(port) || Number(port) > 65_535) {
    throw new BulkheadError('config_invalid', `${JSON.stringify(entry)} is no host with a port`, {
      fix: 'Write it as 192.168.1.5:8080, [fd00::5]:8080 or nas.example:5000.',
    });
  }
  const own = host.text === 'localhost' || host.text.endsWith('.localhost');
  return [`${host.text}:${port}`, host.kind === 'address' ? BY_ADDRESS : own ? LOCALHOST : BY_NAME];
}
