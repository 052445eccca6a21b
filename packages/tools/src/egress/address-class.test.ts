import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifyAddress } from './address-class.ts';
import { type IpAddress, parseIp } from './ip-address.ts';

const kindOf = (text: string, local: readonly string[] = []) =>
  classifyAddress(
    read(text),
    local.map((network) => {
      const [prefix = '', bits] = network.split('/');
      return { prefix: read(prefix), bits: Number(bits) };
    }),
  ).kind;

function read(text: string): IpAddress {
  const ip = parseIp(text);
  if (ip === undefined) throw new Error(`${text} is no address`);
  return ip;
}

const dotted = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');
const anyIp4 = fc.integer({ min: 0, max: 2 ** 32 - 1 }).map(dotted);

/** First and last address of each range that is not the internet. */
const CLOSED_4 = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '255.255.255.255'],
] as const;
const OPEN_4 = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '192.169.0.0',
  '223.255.255.255',
];

describe('where an address leads', () => {
  it.each(CLOSED_4)('%s to %s is not the internet [FT27]', (first, last) => {
    const number = (text: string) => Number(read(text).value);
    const between = fc.integer({ min: number(first), max: number(last) });
    expect([kindOf(first), kindOf(last)]).not.toContain('public');
    fc.assert(fc.property(between, (value) => kindOf(dotted(value)) !== 'public'));
  });

  it.each(OPEN_4)('%s is', (address) => {
    expect(kindOf(address)).toBe('public');
  });

  it('a version 4 address has one answer, however it is wrapped: closed ones never open [FT27]', () => {
    fc.assert(
      fc.property(anyIp4, (address) => {
        const plain = kindOf(address);
        const hex = read(address).value.toString(16).padStart(8, '0');
        const [high, low] = [hex.slice(0, 4), hex.slice(4)];
        expect(kindOf(`::ffff:${address}`)).toBe(plain);
        expect(kindOf(`0:0:0:0:0:FFFF:${high}:${low}`)).toBe(plain);
        expect(kindOf(`64:ff9b::${address}`)).toBe(plain);
        // Outdated and local forms may point anywhere.
        for (const form of [
          `::${address}`,
          `2002:${high}:${low}::1`,
          `2001:0:${high}:${low}::1`,
          `2001:0:1::${high}:${low}`,
          `64:ff9b:1::${address}`,
          `2600::5efe:${address}`,
          `2600::200:5efe:${address}`,
          `fe80::${address}`,
          `::ffff:0:${address}`,
        ]) {
          expect(kindOf(form)).not.toBe('public');
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['::', 'reserved'],
    ['::1', 'loopback'],
    ['fc00::1', 'private'],
    ['fdff::1', 'private'],
    ['fd00:ec2::254', 'private'],
    ['fe80::1', 'reserved'],
    ['febf::1', 'reserved'],
    ['fec0::1', 'reserved'],
    ['ff02::1', 'reserved'],
    ['100::1', 'reserved'],
    ['2001:db8::1', 'reserved'],
    ['2001:20::1', 'reserved'],
    ['3fff:1::1', 'reserved'],
    ['4000::1', 'reserved'],
    ['1fff::1', 'reserved'],
    ['2606:4700::1111', 'public'],
    ['2a00:1450:4001::200e', 'public'],
    ['169.254.169.254', 'reserved'],
    ['168.63.129.16', 'reserved'],
    ['100.100.100.200', 'private'],
  ])('%s is %s [FT27]', (address, kind) => {
    expect(kindOf(address)).toBe(kind);
  });

  it('outside 2000::/3 nothing of version 6 is the internet but what carries version 4 [FT27]', () => {
    const other = fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }).filter((value) => value >> 125n !== 1n);
    fc.assert(
      fc.property(other, (value) => {
        const text = Array.from({ length: 8 }, (_, n) =>
          ((value >> BigInt(112 - 16 * n)) & 0xffffn).toString(16),
        );
        const carries = value >> 32n === 0xffffn || value >> 32n === 0x64_ff9bn << 64n;
        return carries || kindOf(text.join(':')) !== 'public';
      }),
    );
  });

  it('a public number of the own network is not the internet [FT27] [FT96]', () => {
    expect(kindOf('2a02:8070::5', ['2a02:8070::1/64'])).toBe('local');
    expect(kindOf('2a02:8070:0:1::5', ['2a02:8070::1/64'])).toBe('public');
    expect(kindOf('93.184.216.34', ['93.184.216.34/32'])).toBe('local');
    expect(kindOf('::ffff:93.184.216.34', ['93.184.216.34/32'])).toBe('local');
    expect(kindOf('93.184.216.35', ['93.184.216.34/32'])).toBe('public');
  });
});
