import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseControlRecord } from './control-record.ts';
import { RecordSplitter } from './shell-transaction.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');
const read = (text: string) => parseControlRecord(bytes(text));
const violation = expect.objectContaining({ code: 'protocol_violation' });

function refusal(text: string): unknown {
  try {
    return read(text);
  } catch (error) {
    return error;
  }
}

describe('parseControlRecord', () => {
  it('reads every kind of record [B2]', () => {
    expect(read('ended 137')).toEqual({ type: 'ended', status: 137 });
    expect(read('change metadata file file 493 420 7 7 1 0:0 1000:50 a b\n/ü')).toEqual({
      type: 'change',
      change: {
        what: 'metadata',
        kind: 'file',
        was: 'file',
        mode: 0o755,
        wasMode: 0o644,
        size: 7,
        wasSize: 7,
        links: 1,
        owners: { was: '1000:50', now: '0:0' },
        path: Uint8Array.from(bytes('a b\n/ü')),
      },
    });
    expect(read('change created file missing 420 0 7 0 0 1000:50 0:0 a')).not.toHaveProperty('change.owners');
    expect(read('change changed file file 420 420 7 7 1 5:6 5:6 a')).not.toHaveProperty('change.owners');
    expect(read('target ../x y')).toEqual({ type: 'target', target: Uint8Array.from(bytes('../x y')) });
    expect(read('problem other-links a')).toMatchObject({
      type: 'problem',
      problem: { code: 'other-links' },
    });
    expect(read('note special-file a')).toMatchObject({ type: 'note' });
    expect(read('stopped disk-full')).toEqual({ type: 'stopped', code: 'disk-full' });
    expect(read('problem errno-5 ')).toMatchObject({ problem: { code: 'errno-5', path: new Uint8Array() } });
    expect(read('opened apps/.env x')).toEqual({
      type: 'opened',
      path: Uint8Array.from(bytes('apps/.env x')),
    });
    expect(read('effects 0')).toEqual({ type: 'effects', count: 0 });
    expect(read('committed')).toEqual({ type: 'committed' });
    expect(read('conflict changed-meanwhile a')).toMatchObject({ type: 'conflict' });
    expect(read('stuck edited-since a b')).toEqual({
      type: 'stuck',
      problem: { code: 'edited-since', path: Uint8Array.from(bytes('a b')) },
    });
    expect(read('failed 28 a')).toMatchObject({ type: 'failed', errno: 28 });
  });

  it.each([
    '',
    ' ',
    'ended',
    'ended ',
    'ended 256',
    'ended -1',
    'ended 01',
    'ended 1 ',
    'ended 1 2',
    'ended 0x1',
    'Ended 1',
    'effects 1.5',
    'effects 99999999999999999999',
    'committed ',
    'committed x',
    'problem other-links',
    'problem  a',
    'problem Other a',
    'stopped',
    'stopped a b',
    'opened',
    'opened ',
    'opened ../a',
    'problem other-links /etc',
    'problem other-links ../a',
    'problem other-links a/../b',
    'problem other-links a//b',
    'problem other-links a/.',
    'failed x a',
    'stuck',
    'stuck edited-since',
    'stuck edited-since ../a',
    'failed 99999 a',
    'change created file missing 644 0 1 0 1 0:0 0:0',
    'change created file missing 0644 0 1 0 1 0:0 0:0 a',
    'change created file missing 4096 0 1 0 1 0:0 0:0 a',
    'change made file missing 644 0 1 0 1 0:0 0:0 a',
    'change created pipe missing 644 0 1 0 1 0:0 0:0 a',
    'change created file  missing 644 0 1 0 1 0:0 0:0 a',
    'change changed file file 644 0 1 0 1 0 0:0 a',
    'change changed file file 644 0 1 0 1 0:0 0:-1 a',
    'change changed file file 644 0 1 0 1 0:00 0:0 a',
    'hello a',
  ])('refuses %j [FT22]', (text) => {
    expect(refusal(text)).toEqual(violation);
  });

  it('gives a path back byte by byte, or refuses: nothing else, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 60 }), (path) => {
        const record = Buffer.concat([bytes('change created file missing 644 0 1 0 1 0:0 0:0 '), path]);
        const text = Buffer.from(path).toString('latin1');
        const names = text.split('/');
        const plain = text === '.' || !names.some((name) => ['', '.', '..'].includes(name));
        if (plain) expect(parseControlRecord(record)).toMatchObject({ change: { path } });
        else expect(() => parseControlRecord(record)).toThrow();
      }),
    );
  });

  it('ends in a record or a violation for any bytes [FT22]', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (record) => {
        try {
          expect(parseControlRecord(record)).toHaveProperty('type');
        } catch (error) {
          expect(error).toEqual(violation);
        }
      }),
    );
  });
});

describe('RecordSplitter', () => {
  it('gives the same records whatever chunks they come in', () => {
    const records = fc.array(fc.uint8Array({ maxLength: 40 }).map((part) => part.map((byte) => byte || 1)));
    fc.assert(
      fc.property(records, fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }), (parts, cuts) => {
        const stream = Buffer.concat(parts.flatMap((part) => [part, Uint8Array.of(0)]));
        const splitter = new RecordSplitter();
        const found: Uint8Array[] = [];
        for (let at = 0, turn = 0; at < stream.length; turn += 1) {
          const size = cuts[turn % cuts.length] ?? 1;
          found.push(...splitter.add(stream.subarray(at, at + size)));
          at += size;
        }
        expect(found.map((record) => [...record])).toEqual(parts.map((part) => [...part]));
        expect(splitter.isWhole).toBe(true);
      }),
    );
  });

  it('holds no more than one record can be', () => {
    const splitter = new RecordSplitter();
    expect(() => {
      for (let chunk = 0; chunk < 100; chunk += 1) [...splitter.add(Buffer.alloc(1_000, 1))];
    }).toThrow('too long');
  });
});
