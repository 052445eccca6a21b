import type { Host } from './host.ts';
import { type HostPatterns, parseHostPatterns } from './host-patterns.ts';

/** Where one action may connect to: nowhere that is not named. It is made for the action and ends with it. */
export interface AllowList {
  admits(host: Host, port: number): boolean;
  /** What is wrong with the list, if something is: then it admits nobody. */
  readonly problem: string | undefined;
}

const DEFAULT_PORTS: readonly number[] = [443];

/**
 * @param list `{ hosts, ports }` as the action has it; without `ports`, 443. Anything else, any other key and any mistake
 *   in it admits nobody
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
