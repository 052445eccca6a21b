import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedaction } from './redaction.ts';
import { drawn, redactedInPieces, SAMPLES } from './testing.ts';
import { valueForms } from './value-forms.ts';

const redaction = createRedaction([]);
const { redact } = redaction;
const BASE62 = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** As JSON, in a log line, coloured, in a URL, at the end of the text. */
const PLACES: readonly ((text: string) => string)[] = [
  (text) => `before ${text} after\n`,
  (text) => `${text}`,
  (text) => `\u001b[32m${text}\u001b[0m and more`,
  (text) => `{"text": "line one\\n${text}"}`,
  (text) => `zwölf 😀 ${text} 😀`,
];

describe('redact', () => {
  it.each(SAMPLES)('takes out a secret of the kind %s, wherever it stands [A7]', (kind, secret, text) => {
    for (const place of PLACES) {
      const out = redact(place(text));
      expect(out).not.toContain(secret);
      expect(out).toContain(`[redacted:${kind}]`);
    }
  });

  it.each(SAMPLES)(
    'takes %s out of a stream cut at each place, and any way [A7] [FT57]',
    (_kind, _secret, bare) => {
      for (const text of [`so: ${bare} ok`, bare, `😀${bare}\n`]) {
        const whole = redact(text);
        for (let cut = 0; cut <= text.length; cut += 1) {
          expect(redactedInPieces(redaction, text, [cut])).toBe(whole);
        }
        const cuts = fc.array(fc.nat(text.length), { maxLength: 20 });
        fc.assert(
          fc.property(cuts, (places) => redactedInPieces(redaction, text, places) === whole),
          { numRuns: 30 },
        );
      }
    },
  );

  it('leaves text alone that holds no secret, and what it has redacted', () => {
    for (const [, , text] of SAMPLES) {
      const once = redact(`x ${text} y`);
      expect(redact(once)).toBe(once);
    }
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => redact(text) === text));
  });

  it('gives the same for any text, however it is cut [FT57]', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(...SAMPLES.map(([, , text]) => text)),
      fc.constantFrom(
        '://',
        'token=',
        'eyJ',
        '-----BEGIN ',
        ' PRIVATE KEY-----',
        '\n',
        '  ',
        'Bearer ',
        '.',
        ':AA',
        '"',
      ),
      fc.nat(80).map((length) => drawn(BASE62, length)),
    );
    const cuts = fc.array(fc.nat(2_000), { maxLength: 12 });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), cuts, (pieces, places) => {
        const text = pieces.join('');
        expect(redactedInPieces(redaction, text, places)).toBe(redact(text));
      }),
      { numRuns: 2_000 },
    );
  });

  it('takes time in proportion to the text, also if it was written to make it slow', () => {
    const seeds = [
      'token',
      'token=',
      '-----BEGIN PRIVATE KEY-----\n',
      '-eyJ',
      'eyJaaaaaaaa.',
      '://a:',
      'sk-',
      '.',
      'a\n \n',
    ];
    for (const seed of [...seeds, `x ghp_${drawn(BASE62, 36)} `]) {
      const text = seed.repeat(Math.ceil(200_000 / seed.length));
      const start = process.cpuUsage();
      redact(text);
      // Quadratic time would take hours.
      expect(process.cpuUsage(start).user / 1_000).toBeLessThan(4_000);
    }
  });
});

describe('a secret that is known by value', () => {
  const value = 'correct horse/battery+staple "ä"?';
  const known = createRedaction([value]);

  it('is taken out in every form it is written in, cut anywhere [A7] [FT57]', () => {
    const forms = valueForms(value);
    expect(forms.length).toBeGreaterThan(12);
    for (const form of forms) {
      const text = `so ${form} ok`;
      for (let cut = 0; cut <= text.length; cut += 1) {
        expect(redactedInPieces(known, text, [cut])).toBe('so [redacted:secret] ok');
      }
    }
  });

  it('is taken out of base64 of any text it is part of [FT57]', () => {
    const aligned = fc.tuple(fc.string({ unit: 'binary-ascii' }), fc.string({ unit: 'binary-ascii' }));
    fc.assert(
      fc.property(aligned, ([before, after]) => {
        for (const encoding of ['base64', 'base64url', 'hex'] as const) {
          const out = known.redact(Buffer.from(before + value + after).toString(encoding));
          expect(out).toContain('[redacted:secret]');
          expect(Buffer.from(out, encoding).toString('latin1')).not.toContain('battery');
        }
      }),
    );
  });

  it('is taken out where lines are broken, in every width [FT57]', () => {
    const oneWord = 'no-horse/no-battery+no_staple?';
    const wide = createRedaction([oneWord]);
    for (const text of [oneWord, Buffer.from(`xyz${oneWord}`).toString('base64')]) {
      for (let width = 3; width < 80; width += 1) {
        const out = wide.redact(text.replaceAll(new RegExp(`.{${width}}`, 'gu'), '$&\n    '));
        expect(out).toContain('[redacted:secret]');
        expect(out).not.toMatch(/hor|sta/);
      }
    }
  });

  it('is not looked for if it is too short to tell', () => {
    expect(createRedaction(['abc', '', '  ']).redact('abc  abc')).toBe('abc  abc');
  });
});

describe('a stream', () => {
  it('holds back only what may still become a secret', () => {
    const stream = createRedaction(['canary-value']).redactor();
    expect(stream.push('the quick brown fox.')).toBe('the quick brown fox.');
    expect(stream.push(' ca')).toBe(' ');
    expect(stream.push('nary')).toBe('');
    expect(stream.push('-bird, gh')).toBe('canary-bird, ');
    expect(stream.push('p_1')).toBe('');
    expect(stream.push(' token=')).toBe('ghp_1 token=');
    expect(stream.push('short ')).toBe('short ');
    expect(stream.end()).toBe('');
  });

  it('shows a few held characters to a reader who waits, and no more of what may be a secret', () => {
    const stream = createRedaction(['0-my-secret-value-9']).redactor();
    expect([stream.push('port 3000\n'), stream.rest()]).toEqual(['port 300', '0\n']);
    expect([stream.push('0-my'), stream.rest()]).toEqual(['0\n', '0-my']);
    expect([stream.push('-secret'), stream.rest()]).toEqual(['', '']);
    expect([stream.push('-value-9 key='), stream.rest()]).toEqual(['[redacted:secret] key=', '']);
  });

  it('shows nothing of a secret that has begun', () => {
    const stream = createRedaction([]).redactor();
    const rests = [...'https://me:pw'].map((character) => {
      stream.push(character);
      return stream.rest();
    });
    expect(rests.join('')).not.toContain('pw');
  });

  it('never gives out half a character', () => {
    const stream = redaction.redactor();
    expect(stream.push('a\ud83d')).toBe('a');
    expect(stream.push('\ude00b')).toBe('😀b');
    expect(stream.push('\ud83d') + stream.end()).toBe('\ud83d');
  });

  it('holds back a bounded part of what does not end, and never lets go of a secret', () => {
    const starts = [
      'ghp_',
      'eyJ',
      '-----BEGIN PRIVATE KEY-----\n',
      'postgres://me:',
      'token=',
      'xoxb-',
      'sk-',
    ];
    for (const start of starts) {
      const text = `${start}${drawn(BASE62, 100_000)}`;
      const stream = redaction.redactor();
      let given = 0;
      let most = 0;
      for (let index = 0; index < text.length; index += 1) {
        const out = stream.push(text.charAt(index));
        given = out.includes('[redacted:') ? Number.POSITIVE_INFINITY : given + out.length;
        most = Math.max(most, index + 1 - given);
      }
      expect(most).toBeLessThan(1_100);
    }
  });
});
