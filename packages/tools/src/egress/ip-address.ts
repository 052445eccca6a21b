/** An address the kernel can be told to dial: never a name, never with a zone. */
export interface IpAddress {
  readonly family: 4 | 6;
  /** The address as one number of 32 or 128 bits. */
  readonly value: bigint;
  /** The one canonical spelling (RFC 5952 for version 6). */
  readonly text: string;
}

/**
 * Reads an address in its strict form: four decimal numbers without leading zeros, or RFC 4291 text without a zone.
 * What `inet_aton` would make of `0x7f.1`, `127.1` or `2130706433` is no address here.
 */
export function parseIp(text: string): IpAddress | undefined {
  const value4 = parseIp4(text);
  if (value4 !== undefined) return ip4(value4);
  const value6 = parseIp6(text);
  return value6 === undefined ? undefined : ip6(value6);
}

/** @param value 32 bits */
export function ip4(value: bigint): IpAddress {
  const text = [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 0xffn)).join('.');
  return { family: 4, value, text };
}

/** @param value 128 bits */
function ip6(value: bigint): IpAddress {
  const groups = Array.from({ length: 8 }, (_, n) =>
    ((value >> BigInt(112 - 16 * n)) & 0xffffn).toString(16),
  );
  const { start, length } = longestZeros(groups);
  if (length < 2) return { family: 6, value, text: groups.join(':') };
  const text = `${groups.slice(0, start).join(':')}::${groups.slice(start + length).join(':')}`;
  return { family: 6, value, text };
}

/** @param bits how many of the address's first bits say where it belongs */
export function isInPrefix(address: IpAddress, prefix: IpAddress, bits: number): boolean {
  if (address.family !== prefix.family) return false;
  const rest = BigInt((address.family === 4 ? 32 : 128) - bits);
  return address.value >> rest === prefix.value >> rest;
}

const DECIMAL = /^(?:0|[1-9]\d{0,2})$/;

function parseIp4(text: string): bigint | undefined {
  if (text.length > 15) return undefined;
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => DECIMAL.test(part) && Number(part) < 256))
    return undefined;
  return parts.reduce((value, part) => (value << 8n) | BigInt(part), 0n);
}

const GROUP = /^[0-9a-fA-F]{1,4}$/;

function parseIp6(text: string): bigint | undefined {
  if (text.length > 45 || !text.includes(':')) return undefined;
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [front, back] = halves.map((half, index) => groupsOf(half, index === halves.length - 1));
  if (front === undefined) return undefined;
  if (halves.length === 1) return front.length === 8 ? joined(front) : undefined;
  if (back === undefined || front.length + back.length > 7) return undefined;
  return joined([...front, ...Array<bigint>(8 - front.length - back.length).fill(0n), ...back]);
}

/** @param last only what comes last may end in the dotted form of version 4 */
function groupsOf(half: string, last: boolean): bigint[] | undefined {
  if (half === '') return [];
  const groups: bigint[] = [];
  const parts = half.split(':');
  for (const [index, part] of parts.entries()) {
    if (GROUP.test(part)) {
      groups.push(BigInt(`0x${part}`));
      continue;
    }
    const dotted = last && index === parts.length - 1 ? parseIp4(part) : undefined;
    if (dotted === undefined) return undefined;
    groups.push(dotted >> 16n, dotted & 0xffffn);
  }
  return groups;
}

function joined(groups: readonly bigint[]): bigint {
  return groups.reduce((value, group) => (value << 16n) | group, 0n);
}

function longestZeros(groups: readonly string[]): { readonly start: number; readonly length: number } {
  let best = { start: 0, length: 0 };
  for (let start = 0; start < groups.length; start += 1) {
    let length = 0;
    while (groups[start + length] === '0') length += 1;
    if (length > best.length) best = { start, length };
  }
  return best;
}
