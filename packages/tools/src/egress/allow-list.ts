import type { Host } from './host.ts';
import { type HostPatterns, parseHostPatterns } from './host-patterns.ts';

/**
 * The destinations that one action may connect to; all others are refused. It lives as long as the
 * action.
 */
export interface AllowList {
  admits(host: Host, port: number): boolean;
  /** The mistake in the list, if there is one: then no host is allowed. */
  readonly problem: string | undefined;
}

const DEFAULT_PORTS: readonly number[] = [443];

/**
 * @param list `{ hosts, ports }` of the action; without `ports`, 443. Any other value, key or
 *   mistake allows no host
 */
export function parseAllowList(list: unknown): AllowList {
  if (typeof list !== 'object' || list === null) return nobody('there is no list of hosts');
  const { hosts, ports = DEFAULT_PORTS, ...other } = { ports: undefined, hosts: undefined, ...list };
  if (Object.keys(other).length > 0) return nobody('the list has unknown keys');
  if (!isPorts(ports)) return nobody('the list has ports that are none');
  const patterns: HostPatterns = parseHostPatterns(hosts);
  if (patterns.problem !== undefined) return nobody(patterns.problem);
  return { problem: undefined, admits: (host, port) => ports.includes(port) && patterns.admits(host) };
}

function isPorts(value: unknown): value is readonly number[] {
  return (
    Array.isArray(value) &&
    value.every((port) => Number.isInteger(port) && Number(port) > 0 && Number(port) <= 65_535)
  );
}

function nobody(problem: string): AllowList {
  return { admits: () => false, problem };
}
