import { type IpAddress, ip4, isInPrefix, parseIp } from './ip-address.ts';

/**
 * The class of an address. `public` is the internet. The user can open `loopback`, `private` and
 * `local`, but never `reserved`: it holds nothing to browse, and cloud metadata services.
 */
export type AddressClass = 'public' | 'loopback' | 'private' | 'local' | 'reserved';

export interface ClassifiedAddress {
  readonly kind: AddressClass;
  /** In words, for the reader of a refusal. */
  readonly what: string;
}

/** Address and prefix length of a network that this machine is part of. */
export interface LocalNetwork {
  readonly prefix: IpAddress;
  readonly bits: number;
}

/** Facts: IANA's registries of special-purpose addresses for version 4 and 6, as of 2025. */
const SPECIAL_4 = table([
  ['0.0.0.0/8', 'reserved', 'of "this network"'],
  ['10.0.0.0/8', 'private', 'of a private network'],
  ['100.64.0.0/10', 'private', "of a provider's shared network"],
  ['127.0.0.0/8', 'loopback', 'this machine itself'],
  ['169.254.0.0/16', 'reserved', 'link-local, where clouds keep their metadata'],
  ['172.16.0.0/12', 'private', 'of a private network'],
  ['192.0.0.0/24', 'reserved', 'reserved for protocols'],
  ['192.0.2.0/24', 'reserved', 'reserved for documentation'],
  ['192.88.99.0/24', 'reserved', 'a 6to4 relay'],
  ['192.168.0.0/16', 'private', 'of a private network'],
  ['198.18.0.0/15', 'reserved', 'reserved for measurements'],
  ['198.51.100.0/24', 'reserved', 'reserved for documentation'],
  ['203.0.113.0/24', 'reserved', 'reserved for documentation'],
  ['224.0.0.0/4', 'reserved', 'multicast'],
  ['240.0.0.0/4', 'reserved', 'reserved'],
  // Its number is public, but the host of a virtual machine in Azure answers it.
  ['168.63.129.16/32', 'reserved', "a cloud's platform service"],
]);

/** Version 6 is closed outside 2000::/3 as a whole; entries there only give a better message. */
const SPECIAL_6 = table([
  ['::/128', 'reserved', 'unspecified'],
  ['::1/128', 'loopback', 'this machine itself'],
  ['::/96', 'reserved', 'an outdated form of version 4'],
  ['64:ff9b:1::/48', 'reserved', 'of a local translation to version 4'],
  ['100::/64', 'reserved', 'discarded'],
  ['2001::/32', 'reserved', 'a Teredo tunnel'],
  ['2001::/23', 'reserved', 'reserved for protocols'],
  ['2001:db8::/32', 'reserved', 'reserved for documentation'],
  ['2002::/16', 'reserved', 'a 6to4 tunnel'],
  ['3fff::/20', 'reserved', 'reserved for documentation'],
  ['fc00::/7', 'private', 'of a private network'],
  ['fe80::/10', 'reserved', 'link-local'],
  ['fec0::/10', 'reserved', 'site-local'],
  ['ff00::/8', 'reserved', 'multicast'],
]);

/**
 * Forms of version 6 whose packets reach the embedded version 4 address: judged as that address.
 */
const CARRIERS = [network('::ffff:0:0/96'), network('64:ff9b::/96')];
const GLOBAL_UNICAST = network('2000::/3');
/** ISATAP interface identifiers: the last 32 bits are a version 4 address. */
const ISATAP: ReadonlySet<bigint> = new Set([0x0000_5efen, 0x0200_5efen]);

/**
 * Returns the class of an address.
 * @param local the networks of this machine, whose neighbours a public number may name
 */
export function classifyAddress(address: IpAddress, local: readonly LocalNetwork[]): ClassifiedAddress {
  const carried = carriedAddress(address);
  if (carried !== undefined) return classifyAddress(carried, local);
  const special = (address.family === 4 ? SPECIAL_4 : SPECIAL_6).find(({ prefix, bits }) =>
    isInPrefix(address, prefix, bits),
  );
  if (special !== undefined) return special;
  if (address.family === 6) {
    if (!isInPrefix(address, GLOBAL_UNICAST.prefix, GLOBAL_UNICAST.bits)) {
      return { kind: 'reserved', what: 'not part of the internet' };
    }
    if (ISATAP.has((address.value >> 32n) & 0xffff_ffffn))
      return { kind: 'reserved', what: 'an ISATAP tunnel' };
  }
  const near = local.some(({ prefix, bits }) => isInPrefix(address, prefix, bits));
  return near ? { kind: 'local', what: "of this machine's own network" } : { kind: 'public', what: 'public' };
}

/** The version 4 address that a packet to this one would reach, where the form says so. */
export function carriedAddress(address: IpAddress): IpAddress | undefined {
  if (address.family === 4) return undefined;
  return CARRIERS.some(({ prefix, bits }) => isInPrefix(address, prefix, bits))
    ? ip4(address.value & 0xffff_ffffn)
    : undefined;
}

/** @throws TypeError for text that is no `address/bits`: only for tables in the source */
function network(text: string): LocalNetwork {
  const [address = '', bits = ''] = text.split('/');
  const prefix = parseIp(address);
  if (prefix === undefined) throw new TypeError(`${text} is no network`);
  return { prefix, bits: Number(bits) };
}

function table(
  rows: readonly (readonly [string, AddressClass, string])[],
): readonly (LocalNetwork & ClassifiedAddress)[] {
  return rows.map(([text, kind, what]) => ({ ...network(text), kind, what }));
}
