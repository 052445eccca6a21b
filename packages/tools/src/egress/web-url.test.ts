import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAllowList } from './allow-list.ts';
import { parseWebUrl, resolveLocation, type WebUrl } from './web-url.ts';

function parsed(text: string): WebUrl | undefined {
  try {
    return parseWebUrl(text);
  } catch {
    // Refused.
    return undefined;
  }
}

/** Pieces that parsers interpret differently, so that they disagree about the host. */
const ODD = [
  '\0',
  '\r\n',
  '\n',
  '\t',
  ' ',
  '\\',
  '@',
  ':',
  '%00',
  '%0d%0a',
  '%2e',
  '%40',
  '.',
  '..',
  '#',
  '?',
  '//',
  '。',
  '．',
  '\u00ad',
  '\u200b',
  '\u202e',
  'ß',
  'ﬀ',
  'é',
  'ı',
  '℀',
  '⑴',
  '\ud800',
  '[',
  ']',
  '%',
  '*',
  ',',
  ';',
  '=',
  '|',
  '^',
  '`',
  '"',
  '<',
  '{',
  '+',
  '~',
  '!',
  '$',
  '&',
  "'",
  '(',
];
const PLACES = [
  (odd: string) => `https://allowed.com${odd}.evil.net/`,
  (odd: string) => `https://allowed.com${odd}@evil.net/`,
  (odd: string) => `https://evil.net${odd}@allowed.com/`,
  (odd: string) => `https://${odd}allowed.com/`,
  (odd: string) => `https://allowed.com${odd}/`,
  (odd: string) => `https:${odd}//allowed.com/`,
];
const STRINGS = [...new Set(PLACES.flatMap((place) => ODD.map(place)))];
const MORE = [
  'https://allowed.com.evil.net/',
  'https://xallowed.com/',
  'https://allowed.com:443@evil.net/',
  'https://allowed.com:80:443/',
  'https://allowed.com:/',
  'https://allowed.com:0443/',
  'https://allowed.com:65536/',
  'https://allowed.com:-1/',
  'https://allowed.com:+443/',
  'https://allowed.com:４４３/',
  'https://xn--/',
  'https://xn--allowed-.com/',
  'https://аllowed.com/',
  'https://allowed.com./',
  'https://allowed..com/',
  'https://.allowed.com/',
  'https://-allowed.com/',
  'https://allowed-.com/',
  `https://${'a'.repeat(64)}.com/`,
  `https://${'a.'.repeat(130)}com/`,
  `https://allowed.com/${'a'.repeat(9_000)}`,
  'HTTPS:\\\\allowed.com\\',
  'https://',
  'https:///allowed.com/',
  'https://?allowed.com',
  ' https://allowed.com/',
  'https://allowed.com/\r\nHost: evil.net',
  'https://allowed.com/ HTTP/1.1',
  'javascript://allowed.com/%0aalert(1)',
  'https;//allowed.com/',
  'httpſ://allowed.com/',
  '',
];

describe('the one parser of URLs', () => {
  it(`reads ${STRINGS.length + MORE.length} hostile strings as no host, or as the host that Node's parser reads [FT30] [B4]`, () => {
    const allow = parseAllowList({ hosts: ['allowed.com'] });
    expect(STRINGS.length + MORE.length).toBeGreaterThan(200);
    for (const text of [...STRINGS, ...MORE]) {
      const url = parsed(text);
      if (url === undefined) continue;
      const other = new URL(text);
      expect({ text, host: url.host.text, port: url.port }).toEqual({
        text,
        host: other.hostname,
        port: Number(other.port || '443'),
      });
      expect(`${other.username}${other.password}`).toBe('');
      // The allowed host is the host that the URL means.
      if (allow.admits(url.host, url.port)) expect(other.hostname).toBe('allowed.com');
    }
    for (const text of MORE.slice(2)) expect([text, parsed(text)?.host.text]).toEqual([text, undefined]);
  });

  it('agrees with Node about whatever it takes [FT30]', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        ...ODD,
        'allowed.com',
        'evil.net',
        'https:',
        'http:',
        '/',
        'a',
        '1',
        '0x7f',
        '127.0.0.1',
        '[::1]',
        'xn--',
      ),
      fc.string({ unit: 'binary', maxLength: 3 }),
    );
    const text = fc.array(piece, { maxLength: 8 }).map((pieces) => `https://${pieces.join('')}`);
    fc.assert(
      fc.property(
        fc.oneof(text, fc.webUrl({ withQueryParameters: true, withFragments: true })),
        (candidate) => {
          const url = parsed(candidate);
          if (url === undefined) return;
          const other = new URL(candidate);
          expect(other.hostname).toBe(url.host.text);
          expect(other.port || (url.scheme === 'https' ? '443' : '80')).toBe(String(url.port));
          expect(other.protocol).toBe(`${url.scheme}:`);
          expect(url.href).toMatch(/^[\x21-\x7e]+$/);
          expect(parsed(url.href)).toEqual(url);
        },
      ),
      { numRuns: 1_500 },
    );
  });

  it.each([
    ['https://Example.ORG', 'https://example.org/'],
    ['HTTPS://example.org:443/a', 'https://example.org/a'],
    ['https://example.org:8443?q=1#x', 'https://example.org:8443/?q=1'],
    ['http://example.org:80/', 'http://example.org/'],
    ['https://de.wikipedia.org/wiki/Köln', 'https://de.wikipedia.org/wiki/K%C3%B6ln'],
    ['https://xn--bcher-kva.example/', 'https://xn--bcher-kva.example/'],
    ['https://[2606:4700:0::1111]/', 'https://[2606:4700::1111]/'],
    ['https://a_b.example.org/{x}|y', 'https://a_b.example.org/%7Bx%7D%7Cy'],
    ['https://r3---sn-x.example.org/', 'https://r3---sn-x.example.org/'],
  ])('reads %s as %s', (text, href) => {
    expect(parseWebUrl(text).href).toBe(href);
  });

  it.each([
    ['/b', 'https://a.org/b'],
    ['b?q', 'https://a.org/x/b?q'],
    ['../b', 'https://a.org/b'],
    ['../../../b/./c/..', 'https://a.org/b/'],
    ['?q=2', 'https://a.org/x/y?q=2'],
    ['#z', 'https://a.org/x/y'],
    ['//b.org/c', 'https://b.org/c'],
    ['http://b.org', 'http://b.org/'],
    ['/.//b.org', 'https://a.org//b.org'],
  ])('a Location of %s leads to %s', (location, href) => {
    expect(resolveLocation(parseWebUrl('https://a.org/x/y?q=1'), location).href).toBe(href);
  });

  it.each([
    '\\\\b.org',
    '/\\b.org',
    ' //b.org',
    '///b.org',
    'https:b.org',
    'javascript:1',
    '/a\r\nb',
    '//b.org@c.org',
    'file:///etc',
  ])('a Location of %j is refused [FT29] [FT30]', (location) => {
    expect(() => resolveLocation(parseWebUrl('https://a.org/x/'), location)).toThrow(/^the URL /);
  });
});
