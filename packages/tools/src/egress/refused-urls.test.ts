import { BulkheadError } from '@bulkhead/protocol';
import { describe, expect, it } from 'vitest';
import { LittleInternet } from '../testing/little-internet.ts';
import { parseAllowList } from './allow-list.ts';
import { parseWebUrl } from './web-url.ts';

const PRIVATE_4 = [
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.254',
  '192.168.0.1',
  '100.64.0.1',
  '169.254.169.254',
  '169.254.170.2',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '198.18.0.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '192.0.2.1',
  '203.0.113.9',
  '192.88.99.1',
];

/** Spellings of an address that some parser may understand. */
function spellings(address: string): string[] {
  const parts = address.split('.').map(Number);
  const [a = 0, b = 0, c = 0, d = 0] = parts;
  const number = ((a * 256 + b) * 256 + c) * 256 + d;
  const hex = number.toString(16).padStart(8, '0');
  const [high, low] = [hex.slice(0, 4), hex.slice(4)];
  return [
    address,
    String(number),
    `0x${hex}`,
    `0${number.toString(8)}`,
    parts.map((part) => `0x${part.toString(16)}`).join('.'),
    parts.map((part) => `0${part.toString(8)}`).join('.'),
    `${a}.${b}.${c * 256 + d}`,
    `${address}.`,
    `[::ffff:${address}]`,
    `[::ffff:${high}:${low}]`,
    `[64:ff9b::${address}]`,
    `[64:ff9b:1::${address}]`,
    `[2002:${high}:${low}::1]`,
    `[::${address}]`,
    `[2001:0:${high}:${low}::1]`,
    address.replace('.', '%2e'),
    address.replace('.', '。'),
    address.replace('1', '１'),
  ];
}

const OTHER = [
  'https://localhost/',
  'https://localhost./',
  'https://LOCALHOST/',
  'https://localhost.localdomain/',
  'https://[::1]/',
  'https://[::]/',
  'https://[0:0:0:0:0:0:0:1]/',
  'https://[::1%25lo]/',
  'https://[fe80::1%25eth0]/',
  'https://[fe80::1%eth0]/',
  'https://[fe80::1]/',
  'https://[fc00::1]/',
  'https://[fd00:ec2::254]/latest/meta-data/',
  'https://[ff02::1]/',
  'https://[fec0::1]/',
  'https://router/',
  'https://metadata/computeMetadata/v1/',
  'https://1/',
  'https://127.1/',
  'https://0/',
  'https://0x7f.1/',
  'https://017700000001/',
  'https://ⓛocalhost/',
  'https://127.0.0.1:443:80/',
  'https://127.0.0.1#@example.org/',
  'https://127.0.0.1?@example.org/',
  'https://[127.0.0.1]/',
  'file:///etc/passwd',
  'gopher://127.0.0.1:6379/_INFO',
  'ftp://127.0.0.1/',
  'data:text/html,hi',
  'unix:/var/run/docker.sock',
  'https:/127.0.0.1/',
  'https:127.0.0.1/',
  '//127.0.0.1/',
  'view-source:https://127.0.0.1/',
];

const TABLE = [
  ...new Set([
    ...PRIVATE_4.flatMap((address) => spellings(address).map((host) => `https://${host}/`)),
    ...OTHER,
  ]),
];

describe('a URL that leads home', () => {
  it(`is refused, and no address is dialled: ${TABLE.length} of them [B4] [FR9] [FT27]`, async () => {
    await using internet = new LittleInternet();
    await internet.serve(443, (_, response) => response.end('reached'));
    // Resolver answers for the names in the list above.
    for (const name of ['localhost', 'localhost.localdomain', 'router', 'metadata'])
      internet.names.set(name, [['127.0.0.1']]);
    const broker = internet.broker();
    const outcomes: unknown[] = [];
    for (const text of TABLE) {
      const fetching = (async () => {
        const url = parseWebUrl(text);
        const allow = parseAllowList({ hosts: [url.host.text], ports: [url.port] });
        const rules = { allow, redirects: 'public', maxBytes: 100, timeoutMs: 5_000 } as const;
        await broker.fetch(
          { url, method: 'GET', headers: [], body: undefined },
          rules,
          AbortSignal.timeout(5_000),
        );
        return 'reached';
      })();
      const outcome = await fetching.catch((error: unknown) => BulkheadError.from(error).code);
      if (outcome !== 'blocked' && outcome !== 'invalid_arguments') outcomes.push([text, outcome]);
    }
    expect(TABLE.length).toBeGreaterThan(120);
    expect(outcomes).toEqual([]);
    expect(internet.dialled).toEqual([]);
  });

  it('is refused for its addresses, not for being a URL: a public one is reached [FT27]', async () => {
    await using internet = new LittleInternet();
    await internet.serve(443, (_, response) => response.end('reached'));
    const url = parseWebUrl('https://example.test/');
    const allow = parseAllowList({ hosts: ['example.test'] });
    const rules = { allow, redirects: 'public', maxBytes: 100, timeoutMs: 5_000 } as const;
    const answer = await internet
      .broker()
      .fetch({ url, method: 'GET', headers: [], body: undefined }, rules, AbortSignal.timeout(5_000));
    expect(answer.body.toString()).toBe('reached');
    expect(internet.dialled).toEqual(['93.184.216.34 443']);
  });
});
