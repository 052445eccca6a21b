import { BulkheadError } from '@bulkhead/protocol';
import { describe, expect, it } from 'vitest';
import { LittleInternet } from '../testing/little-internet.ts';
import { parseAllowList } from './allow-list.ts';
import { type Host, parseHost } from './host.ts';
import { parseWebUrl } from './web-url.ts';

function host(text: string): Host {
  const parsed = parseHost(text);
  if (typeof parsed === 'string') throw new Error(parsed);
  return parsed;
}

const signal = () => AbortSignal.timeout(5_000);

describe('the list of hosts of an action', () => {
  it.each([
    ['example.org', 'example.org', true],
    ['EXAMPLE.org', 'example.org', true],
    ['example.org', 'www.example.org', false],
    ['example.org', 'example.org.evil.net', false],
    ['example.org', 'badexample.org', false],
    ['*.example.org', 'www.example.org', true],
    ['*.example.org', 'a.b.example.org', true],
    ['*.example.org', 'example.org', false],
    ['*.example.org', 'badexample.org', false],
    ['*.example.org', 'www.example.org.evil.net', false],
    ['1.1.1.1', '1.1.1.1', true],
    ['[2606:4700:0::1111]', '[2606:4700::1111]', true],
    ['1.1.1.1', '1.1.1.2', false],
  ])('%s against %s: %s', (pattern, text, expected) => {
    expect(parseAllowList({ hosts: [pattern] }).admits(host(text), 443)).toBe(expected);
    expect(parseAllowList({ hosts: [pattern] }).admits(host(text), 80)).toBe(false);
    expect(parseAllowList({ hosts: [pattern], ports: [80] }).admits(host(text), 80)).toBe(expected);
  });

  it.each([
    [undefined],
    [null],
    [[]],
    ['example.test'],
    [{}],
    [{ hosts: [] }],
    [{ hosts: 'example.test' }],
    [{ hosts: { 0: 'example.test', length: 1 } }],
    [{ hosts: ['*'] }],
    [{ hosts: ['*.test'] }],
    [{ hosts: ['**.example.test', 'example.test'] }],
    [{ hosts: ['example.test', ''] }],
    [{ hosts: ['example.test', 5] }],
    [{ hosts: ['example.test', 'exa mple.org'] }],
    [{ hosts: ['example.test', 'https://example.test'] }],
    [{ hosts: ['example.test', 'example.test:443'] }],
    [{ hosts: ['example.test', '*.1.1.1.1'] }],
    [{ hosts: ['example.test', 'a..b'] }],
    [{ hosts: ['example.test', 'example.test.'] }],
    [{ hosts: Array.from({ length: 1_001 }, () => 'example.test') }],
    [{ hosts: ['example.test'], ports: [] }],
    [{ hosts: ['example.test'], ports: ['443'] }],
    [{ hosts: ['example.test'], ports: [443, 0] }],
    [{ hosts: ['example.test'], ports: [443, 65_536] }],
    [{ hosts: ['example.test'], ports: [443, 1.5] }],
    [{ hosts: ['example.test'], ports: 443 }],
    [{ hosts: ['example.test'], port: [443] }],
  ])(
    'that is empty or has a mistake admits nobody, not even what is right in it: %j [FT33] [B4]',
    async (list) => {
      await using internet = new LittleInternet();
      await internet.serve(443, (_, response) => response.end());
      const allow = parseAllowList(list);
      expect(allow.admits(host('example.test'), 443)).toBe(false);
      const rules = { allow, redirects: 'public', maxBytes: 9, timeoutMs: 5_000 } as const;
      const request = {
        url: parseWebUrl('https://example.test/'),
        method: 'GET',
        headers: [],
        body: undefined,
      };
      const error = await internet.broker().fetch(request, rules, signal()).catch(BulkheadError.from);
      expect(error).toMatchObject({ code: 'blocked' });
      expect([...internet.queries, ...internet.dialled]).toEqual([]);
    },
  );
});

describe("the user's own list", () => {
  const REACHED = 'reached';
  it.each([
    [['*'], REACHED],
    [['example.test'], REACHED],
    [['*.example.test', 'example.test'], REACHED],
    [[], 'blocked'],
    [['other.test'], 'blocked'],
    [['*.example.test'], 'blocked'],
    [['*', 'not a host'], 'blocked'],
    [['example.test', '*.test'], 'blocked'],
    [null, 'blocked'],
    ['*', 'blocked'],
    [{}, 'blocked'],
  ])('of %j lets an action reach example.test: %s [FT33]', async (hosts, expected) => {
    await using internet = new LittleInternet();
    await internet.serve(443, (_, response) => response.end());
    const allow = parseAllowList({ hosts: ['example.test'] });
    const rules = { allow, redirects: 'none', maxBytes: 9, timeoutMs: 5_000 } as const;
    const request = {
      url: parseWebUrl('https://example.test/'),
      method: 'GET',
      headers: [],
      body: undefined,
    };
    const outcome = await internet
      .broker({ hosts })
      .fetch(request, rules, signal())
      .then(
        () => REACHED,
        (error: unknown) => BulkheadError.from(error).code,
      );
    expect(outcome).toBe(expected);
    expect(internet.queries.length).toBe(expected === REACHED ? 1 : 0);
  });
});
