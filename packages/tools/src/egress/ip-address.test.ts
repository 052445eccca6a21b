import { isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseIp } from './ip-address.ts';

describe('an address', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['::', '::'],
    ['::1', '::1'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['2001:DB8::A', '2001:db8::a'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
    ['::ffff:127.0.0.1', '::ffff:7f00:1'],
    ['64:ff9b::10.0.0.1', '64:ff9b::a00:1'],
  ])('%s is read as %s', (text, canonical) => {
    expect(parseIp(text)?.text).toBe(canonical);
  });

  it.each([
    '',
    '1',
    '127.1',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '127.0.0.01',
    '2130706433',
    '256.0.0.1',
    '1.2.3.4.5',
    '1.2.3.4.',
    ' 1.2.3.4',
    '１.2.3.4',
    ':::',
    '1::2::3',
    'fe80::1%eth0',
    '::1%',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7:8::',
    '::127.0.0.1:1',
    '1.2.3.4::',
    '12345::',
    '::g',
    '[::1]',
    ':1',
    '1:',
  ])('%j is none [FT27]', (text) => {
    expect(parseIp(text)).toBeUndefined();
  });

  it('is what Node takes for one, and canonical text reads back as the same', () => {
    const group = fc.oneof(
      fc.constantFrom('0', '', 'ffff', '1', '00', '1.2.3.4', 'g'),
      fc.stringMatching(/^[0-9a-f]{1,5}$/),
    );
    const text = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc.array(group, { maxLength: 9 }).map((groups) => groups.join(':')),
      fc.array(fc.stringMatching(/^\d{1,4}$/), { maxLength: 5 }).map((parts) => parts.join('.')),
    );
    fc.assert(
      fc.property(text, (candidate) => {
        const parsed = parseIp(candidate);
        expect(parsed?.family ?? 0).toBe(isIP(candidate));
        if (parsed === undefined) return;
        expect(parseIp(parsed.text)).toEqual(parsed);
        const url = new URL(parsed.family === 4 ? `http://${candidate}` : `http://[${candidate}]`);
        expect(url.hostname.replace(/^\[|\]$/g, '')).toBe(parsed.text);
      }),
      { numRuns: 3_000 },
    );
  });
});
