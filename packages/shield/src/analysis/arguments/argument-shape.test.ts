import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { doubledKey, oddStructure } from './argument-shape.ts';

describe('the structure of arguments', () => {
  it('finds keys that reach prototypes, at any depth [FT22]', () => {
    for (const key of ['__proto__', 'constructor', 'prototype']) {
      expect(oddStructure(JSON.parse(`{"a":[{"${key}":{"x":1}}]}`))).toContain(key);
    }
  });

  it('finds numbers that are none, or that others read otherwise [FT22]', () => {
    for (const text of ['{"n":1e999}', '{"n":-1e999}', '{"n":9007199254740993}', '{"n":1e30}']) {
      expect(oddStructure(JSON.parse(text))).toContain('number');
    }
    expect(oddStructure({ n: 1.5e300 * 0 })).toBeUndefined();
  });

  it('stops at nesting and numbers of values, quickly [FT22]', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`);
    expect(oddStructure(deep)).toContain('nested');
    // Ten times as many take no longer: counting stops at the limit. Takes the fastest of several
    // runs, as other programs use the machine, too.
    const quickest = (length: number): number => {
      const list = Array.from({ length }, () => 0);
      const times = Array.from({ length: 9 }, () => {
        const started = process.cpuUsage();
        expect(oddStructure({ list })).toContain('values');
        return process.cpuUsage(started).user / 1_000;
      });
      return Math.min(...times);
    };
    expect(quickest(1_000_000)).toBeLessThan(5 * quickest(100_000) + 1);
  });

  it('finds keys that look the same', () => {
    expect(oddStructure({ path: 1, ｐａｔｈ: 2 })).toContain('look the same');
  });

  it('accepts what JSON can say plainly', () => {
    const plain = fc
      .jsonValue({ depthSize: 'small' })
      .filter((value) => !/__proto__|constructor|prototype|e[+-]?\d/.test(JSON.stringify(value)));
    fc.assert(
      fc.property(fc.array(plain), (list) => {
        const found = oddStructure({ list });
        expect(found === undefined || found.includes('number') || found.includes('look the same')).toBe(true);
      }),
    );
  });

  it('finds a key that stands twice, in any spelling [FT22]', () => {
    expect(doubledKey('{"a":1,"a":2}')).toBe('a');
    expect(doubledKey('{"a":1,"\\u0061":2}')).toBe('a');
    expect(doubledKey('{"x":[{"k":"k"},{"k":{"y":1,"y":2}}]}')).toBe('y');
    expect(doubledKey('{"a":"a","b":["a","a"],"c":{"a":"}{,\\"a\\":"}}')).toBeUndefined();
  });

  it('finds no doubled key in what JSON.stringify writes, and finds each that is planted', () => {
    const record = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(record, (value) => {
        const json = JSON.stringify(value);
        expect(doubledKey(json)).toBeUndefined();
        const key = Object.keys(JSON.parse(json))[0];
        if (key === undefined) return;
        expect(doubledKey(`${json.slice(0, -1)},${JSON.stringify(key)}:0}`)).toBeDefined();
      }),
    );
  });
});
