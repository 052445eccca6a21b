import { networkInterfaces } from 'node:os';
import type { LocalNetwork } from './address-class.ts';
import { parseIp } from './ip-address.ts';

/** A wider announced prefix would block more than neighbours. */
const WIDEST_PREFIX_6 = 48;

/**
 * The networks this machine is in, read anew on each call: for version 6 the whole link, because
 * its neighbours have public numbers; for version 4 the machine's own address, because its
 * neighbours have private ones.
 */
export function systemNetworks(): readonly LocalNetwork[] {
  return Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.flatMap(({ address, cidr }) => {
      const prefix = parseIp(address);
      if (prefix === undefined) return [];
      if (prefix.family === 4) return [{ prefix, bits: 32 }];
      const bits = Number(cidr?.split('/')[1] ?? '128');
      return [{ prefix, bits: Math.max(bits, WIDEST_PREFIX_6) }];
    }),
  );
}
