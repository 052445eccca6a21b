import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldConstants } from './fold-constants.ts';

const SECRET = 'cat /etc/shadow';
const hex = Buffer.from(SECRET).toString('hex');
const base64 = Buffer.from(SECRET).toString('base64');
const codes = [...SECRET].map((sign) => sign.charCodeAt(0));
const backwards = [...SECRET].reverse().join('');

describe('values of constants alone', () => {
  it.each([
    `bytes.fromhex('${hex}').decode()`,
    `binascii.unhexlify(b"${hex}")`,
    `base64.b64decode('${base64}').decode('utf-8')`,
    `atob("${base64}")`,
    `Buffer.from('${base64}', 'base64').toString()`,
    `pack('H*', '${hex}')`,
    `['${hex}'].pack('H*')`,
    `'${base64}'.unpack1('m')`,
    `base64_decode("${base64}")`,
    `codecs.decode('png /rgp/funqbj', 'rot13')`,
    `'${backwards}'[::-1]`,
    `"${backwards}".split("").reverse().join("")`,
    `String.fromCharCode(${codes})`,
    `bytes([${codes.join(', ')}])`,
    codes.map((code) => `chr(${code})`).join(' + '),
    `''.join(['${base64.slice(0, 6)}', '${base64.slice(6)}']).b64decode('${base64}')`,
    `atob('${base64.slice(0, 6)}' + '${base64.slice(6)}')`,
  ])('%s', (code) => {
    expect(foldConstants(code)).toMatchObject({ text: expect.stringContaining(SECRET), hidden: true });
  });

  it.each([
    "print('a' + x)",
    "','.join(['b', 'c'])",
    'x = [1, 2, 3, 4, 5]',
    "open('a.txt').read()",
    'b64decode(x)',
  ])('leaves %s as it is', (code) => {
    expect(foldConstants(code)).toEqual({ text: code, hidden: false });
  });

  it('puts plain pieces together, which hides nothing', () => {
    expect(foldConstants("open('/etc/' + 'sha' + 'dow')")).toEqual({
      text: 'open("/etc/shadow")',
      hidden: false,
    });
  });

  it('takes any code, in bounded time [FT23]', () => {
    const piece = fc.constantFrom(
      "'",
      '"',
      "'a'",
      '+',
      '.',
      'chr(',
      '1',
      ',',
      '[',
      ']',
      ')',
      'fromhex(',
      "''.join([",
      '\\',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 1_000 }), (pieces) => {
        const begun = process.cpuUsage();
        foldConstants(pieces.join('').slice(0, 4_096));
        expect(process.cpuUsage(begun).user / 1_000).toBeLessThan(1_000);
      }),
      { numRuns: 200 },
    );
  });
});
