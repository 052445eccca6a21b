import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AuditDetails, AuditInput } from './audit-entry.ts';
import { capInput } from './cap-input.ts';
import { checkLine, GENESIS, MAX_LINE_BYTES, sealEntry } from './chain.ts';
import { proposed } from './testing.ts';

const word = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('"self":"', '\ud800', '…'));
const details: fc.Arbitrary<AuditDetails> = fc.dictionary(
  fc.oneof(word, fc.constantFrom('self', '__proto__', 'prev')),
  fc.oneof(word, fc.double(), fc.boolean(), fc.constant(null), fc.array(word)),
);
const input: fc.Arbitrary<AuditInput> = fc.record({
  step: fc.constantFrom('PROPOSED' as const, 'FAILED' as const),
  action: word,
  hash: word,
  session: word,
  tool: word,
  details,
});

describe('an audit entry', () => {
  it('has as self the SHA-256 of its RFC 8785 form without self [U1]', () => {
    const { entry, line } = sealEntry(proposed('a'), GENESIS, 0);
    const { self, ...open } = entry;
    expect(self).toBe(
      createHash('sha256')
        .update(canonicalize(open) ?? '')
        .digest('hex'),
    );
    expect(line).toBe(canonicalize(entry));
    expect(entry).toMatchObject({ v: 1, n: 1, prev: '0'.repeat(64), time: '1970-01-01T00:00:00.000Z' });
  });

  it('is one short line that checks, whatever it is about', () => {
    fc.assert(
      fc.property(input, (about) => {
        const { entry, line } = sealEntry(capInput(about), GENESIS, 0);
        expect(line).not.toMatch(/[\n\r]/);
        expect(Buffer.byteLength(line)).toBeLessThan(MAX_LINE_BYTES);
        expect(checkLine(line, GENESIS)).toEqual({ n: 1, self: entry.self });
      }),
    );
  });

  it('is short even if everything in it is huge', () => {
    const huge = '\u0001'.repeat(100_000);
    const many = Object.fromEntries(
      Array.from({ length: 1000 }, (_, n) => [`k${n}`, Array(1000).fill(huge)]),
    );
    const about = {
      step: 'PROPOSED' as const,
      action: huge,
      hash: huge,
      session: huge,
      tool: huge,
      details: many,
    };
    const { line } = sealEntry(capInput(about), GENESIS, 0);
    expect(Buffer.byteLength(line)).toBeLessThan(MAX_LINE_BYTES);
    expect(JSON.parse(line).details['…']).toMatch(/bytes of details left out/);
  });

  it('is refused if any character of it changes [U1]', () => {
    const { line } = sealEntry(proposed('a'), GENESIS, 0);
    for (let at = 0; at < line.length; at++) {
      for (const other of ['0', ' ', '"', '']) {
        const changed = line.slice(0, at) + other + line.slice(at + 1);
        if (changed !== line) expect(checkLine(changed, GENESIS)).toBeTypeOf('string');
      }
    }
  });

  it('is refused with a second self, another version or another field', () => {
    const { line, entry } = sealEntry(proposed('a'), GENESIS, 0);
    expect(checkLine(line.replace('"self"', `"self":"${entry.self}","self"`), GENESIS)).toMatch(
      /this version/,
    );
    expect(checkLine(line.replace('"v":1', '"v":2'), GENESIS)).toMatch(/this version/);
    expect(checkLine(line.replace('"v":1', '"v":1,"w":1'), GENESIS)).toMatch(/this version/);
  });
});

describe('details', () => {
  it('are cut, and say so', () => {
    const capped = capInput({
      ...proposed('a'),
      tool: 't'.repeat(300),
      details: {
        long: 'x'.repeat(600),
        list: Array(40).fill('p'),
        nan: Number.NaN,
        ok: 'x'.repeat(512),
      },
    });
    expect(capped.tool).toBe(`${'t'.repeat(255)}…`);
    expect(capped.details['long']).toBe(`${'x'.repeat(511)}…`);
    expect(capped.details['ok']).toBe('x'.repeat(512));
    expect(capped.details['nan']).toBe('NaN');
    expect(capped.details['list']).toEqual([...Array(32).fill('p'), '… 8 more']);
  });
});
