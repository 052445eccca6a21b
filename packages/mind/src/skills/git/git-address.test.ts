import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressOf, isAddress, parseGitAddress } from './git-address.ts';

const REFUSED = [
  'file:///srv/x.git',
  'ext::sh -c id',
  'ext::sh%20-c%20id',
  'fd::3',
  'git://host/x.git',
  'http://example.org/x.git',
  'http://127.0.0.1.example.org/x',
  'https://user@host/x.git',
  'https://user:secret@host/x.git',
  'ssh://git:secret@host/x.git',
  'ssh://-oProxyCommand=id/x',
  'ssh://-oProxyCommand=id@host/x',
  'ssh://git@-host/x',
  '-u@host:x',
  'git@-oProxyCommand=id:x',
  'git@host:-x',
  'git:secret@host:x',
  'git@host:',
  'git@host://x',
  'https://host',
  'https://host/x?private_token=secret',
  'https://host/x y',
  'https://host/x\nfoo',
  'https://host/x%0afoo',
  'https://host/x%00',
  'https://host/x\u202e',
  'https://host/$(id)`id`',
  'https://host/x#-upload-pack=id',
  'https://host/x#+main',
  'https://host/x#a..b',
  'https://host/x#a@{1}',
  'https://host/x#main*',
  'https://host/x#main^',
  'https://host/x#main~1',
  'https://host/x#a b',
  'https://host/x#main:../y',
  'https://host/x#main:/y',
  'https://host/x#main:a//b',
  'https://host/x#main:a:b',
  'https://host/x#main:a\nb',
  `https://host/${'x'.repeat(3_000)}`,
];

describe('the address of a skill in a repository', () => {
  it.each([
    ['https://host/a/b.git', 'https', 'https://host/a/b.git', 'HEAD', ''],
    ['https://host:8443/a#v1.2', 'https', 'https://host:8443/a', 'v1.2', ''],
    ['https://host/a#feature/x:skills/mail', 'https', 'https://host/a', 'feature/x', 'skills/mail'],
    ['https://host/a#:skills/mail/', 'https', 'https://host/a', 'HEAD', 'skills/mail'],
    ['ssh://git@host:22/a/b', 'ssh', 'ssh://git@host:22/a/b', 'HEAD', ''],
    ['git@host:a/b.git#main', 'ssh', 'git@host:a/b.git', 'main', ''],
    ['http://localhost:80/x', 'http', 'http://localhost/x', 'HEAD', ''],
    ['http://[::1]:8080/x', 'http', 'http://[::1]:8080/x', 'HEAD', ''],
  ])('is taken as %s [SK2]', (word, scheme, url, ref, path) => {
    expect(isAddress(word)).toBe(true);
    const address = parseGitAddress(word);
    expect(address).toEqual({ scheme, url, ref, path });
    expect(parseGitAddress(addressOf(address, 'a'.repeat(40)))).toEqual({ ...address, ref: 'a'.repeat(40) });
  });

  it.each(REFUSED)('is refused as %j, and never repeated [SK2]', (word) => {
    expect(isAddress(word)).toBe(true);
    expect(() => parseGitAddress(word)).toThrow(/^the address /);
    expect(() => parseGitAddress(word)).not.toThrow(/secret|ProxyCommand|\$\(/);
  });

  it.each(['mail', './a@b:c', '/srv/x.git', '../x', 'a/b@c:d', 'mail.tar.gz'])('is no path: %s', (word) => {
    expect(isAddress(word)).toBe(false);
  });

  it('gives git no option, no other protocol and no character of control, whatever is typed [SK2]', () => {
    const part = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.constantFrom(
        'https://',
        'ssh://',
        'http://',
        'git@',
        'ext::',
        '-',
        '--',
        '@',
        ':',
        '/',
        '#',
        '%0a',
        'h',
        '..',
        '?',
      ),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 9 }), (parts) => {
        const word = parts.join('');
        try {
          const { scheme, url, ref, path } = parseGitAddress(word);
          expect(['https', 'ssh', 'http']).toContain(scheme);
          expect(url).toMatch(
            /^(?:https:\/\/[a-z0-9[]|ssh:\/\/\w|http:\/\/(?:localhost|127\.|\[::1\])|\w[\w.-]*@[a-z0-9[])/i,
          );
          expect(scheme === 'ssh' || !/^[a-z]+:\/\/[^/]*@/.test(url)).toBe(true);
          for (const given of [url, ref, path]) expect(given).not.toMatch(/^[-+]|[\p{Cc}\p{Cf}]/u);
          expect(path.split('/')).not.toContain('..');
        } catch (cause) {
          expect(cause).toMatchObject({ code: 'usage' });
        }
      }),
      { numRuns: 3_000 },
    );
  });
});
