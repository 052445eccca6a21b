import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type NetworkUse, systemTimers } from '@bulkhead/protocol';
import { type AllowList, type EgressBroker, parseAllowList } from '@bulkhead/tools';
import { type EgressProxy, openEgressProxy } from '../egress/egress-proxy.ts';

/** The web's own ports; commands may not reach a host's other services. */
const PORTS: readonly number[] = [443, 80];

/** The servers that a command may reach. */
export interface WayOut {
  /** On the ports of the web. */
  readonly hosts: readonly string[];
  /** `host:port`, that port alone. */
  readonly granted: readonly string[];
}

/** True for a command that may reach a server: its network is its own. */
export function leadsOut({ hosts, granted }: WayOut): boolean {
  return hosts.length > 0 || granted.length > 0;
}

/**
 * Opens the proxy of one command, for its hosts and no other, until disposed. Without hosts it
 * refuses all at once, and tells what the command lacked. The password is for a proxy that others
 * can reach.
 */
export type OpenEgress = (wayOut: WayOut, password?: string) => Promise<EgressProxy>;

/** The traffic of a command, as far as its proxy saw it. */
export function networkUse({ stats }: EgressProxy): NetworkUse {
  const { reached, needed, refusals } = stats;
  return { reached, needed, refused: [...new Set(refusals)] };
}

/** @param run private folder of the home: a socket's path must be short */
export function egressIn(run: string, broker: Pick<EgressBroker, 'connect' | 'objectionTo'>): OpenEgress {
  return async (wayOut, password) => {
    // Short: an id here would leave a home's path no more than about 40 characters.
    const folder = mkdtempSync(join(run, 'o'));
    const remove = () => rmSync(folder, { recursive: true, force: true });
    try {
      const allow = allowListOf(wayOut);
      const proxy = await openEgressProxy({ folder, allow, broker, password, timers: systemTimers });
      return {
        socketPath: proxy.socketPath,
        get stats() {
          return proxy.stats;
        },
        async [Symbol.asyncDispose]() {
          await proxy[Symbol.asyncDispose]();
          remove();
        },
      };
    } catch (error) {
      remove();
      throw error;
    }
  };
}

function allowListOf({ hosts, granted }: WayOut): AllowList {
  const named = parseAllowList({ hosts, ports: PORTS });
  const places = new Set(granted);
  return {
    problem: named.problem,
    admits: (host, port) => named.admits(host, port) || places.has(`${host.text}:${port}`),
  };
}
