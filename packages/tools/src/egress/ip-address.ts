import { isIP } from 'node:net';

/** An address that the kernel can dial: never a name, never with a zone. */
export interface IpAddress {
  readonly family: 4 | 6;
  /** The address as one number of 32 or 128 bits. */
  readonly value: bigint;
  /** The one canonical spelling (RFC 5952 for version 6, and never with a dotted part). */
  readonly text: string;
}

/**
 * Reads an address in the strict form of `inet_pton`: four decimal numbers without leading zeros,
 * or RFC 4291 text without a zone. `0x7f.1`, `127.1` and `2130706433`, which `inet_aton` accepts,
 * are no addresses here.
 */
export function parseIp(text: string): IpAddress | undefined {
  const family = isIP(text);
  if (family === 4) return ip4(numberOf(text.split('.').map(Number), 8));
  return family === 6 && !text.includes('%') ? ip6(text) : undefined;
}

/** @param value 32 bits */
export function ip4(value: bigint): IpAddress {
  const text = [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 0xffn)).join('.');
  return { family: 4, value, text };
}

/** @param bits length of the network prefix */
export function isInPrefix(address: IpAddress, prefix: IpAddress, bits: number): boolean {
  if (address.family !== prefix.family) return false;
  const rest = BigInt((address.family === 4 ? 32 : 128) - bits);
  return address.value >> rest === prefix.value >> rest;
}

/**
 * @param valid a spelling of version 6 that `isIP` accepts; the host parser of `URL` makes it
 *   canonical
 */
function ip6(valid: string): IpAddress {
  const text = new URL(`http://[${valid}]`).hostname.slice(1, -1);
  const [front = [], back = []] = text
    .split('::')
    .map((half) => half.split(':').filter(Boolean).map(hexadecimal));
  const zeros = Array<number>(8 - front.length - back.length).fill(0);
  return { family: 6, value: numberOf([...front, ...zeros, ...back], 16), text };
}

function hexadecimal(group: string): number {
  return Number.parseInt(group, 16);
}

function numberOf(parts: readonly number[], bits: number): bigint {
  return parts.reduce((value, part) => (value << BigInt(bits)) | BigInt(part), 0n);
}
