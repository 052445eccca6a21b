import { describe, expect, it } from 'vitest';
import { schemaMismatch } from './schema-mismatch.ts';

const person = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 5 },
    age: { type: 'integer', minimum: 0, exclusiveMaximum: 150 },
    kind: { enum: ['a', 'b', null] },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 2 },
    friend: { $ref: '#/$defs/friend' },
    note: { type: ['string', 'null'] },
    way: { anyOf: [{ type: 'string' }, { type: 'object', required: ['at'] }] },
  },
  required: ['name'],
  additionalProperties: false,
  $defs: { friend: { type: 'object', properties: { name: { const: 'Ada' } }, required: ['name'] } },
};

describe('arguments and the schema of a client tool', () => {
  it.each([
    { name: 'Bo' },
    { name: '😀😀😀😀😀', age: 3, kind: null, tags: ['x'], note: null, way: { at: 1 } },
    { name: 'Bo', friend: { name: 'Ada', more: 1 } },
  ])('fit: %j [I4]', (args) => {
    expect(schemaMismatch(person, args)).toBeUndefined();
  });

  it.each([
    [{}, 'name: is missing'],
    [{ name: 1 }, 'name: must be string'],
    [{ name: '' }, 'name: must have at least as many characters as 1'],
    [{ name: 'Robert' }, 'name: must have no more characters than 5'],
    [{ name: 'Bo', age: 1.5 }, 'age: must be integer'],
    [{ name: 'Bo', age: -1 }, 'age: must be at least 0'],
    [{ name: 'Bo', age: 150 }, 'age: must be less than 150'],
    [{ name: 'Bo', kind: 'c' }, 'kind: must be one of ["a","b",null]'],
    [{ name: 'Bo', tags: ['x', 1] }, 'tags[1]: must be string'],
    [{ name: 'Bo', tags: ['x', 'y', 'z'] }, 'tags: must have no more members than 2'],
    [{ name: 'Bo', friend: { name: 'Eve' } }, 'friend.name: must be "Ada"'],
    [{ name: 'Bo', way: 7 }, 'way: is none of the 2 forms it may have'],
    [{ name: 'Bo', else: 1 }, 'else: is not known; known: name'],
  ])('do not fit: %j [I4]', (args, wrong) => {
    expect(schemaMismatch(person, args)).toContain(wrong);
  });

  it('are not read through what objects inherit', () => {
    expect(schemaMismatch({ type: 'object', required: ['toString'] }, {})).toBe('toString: is missing');
    const closed = { type: 'object', properties: {}, additionalProperties: false };
    expect(schemaMismatch(closed, JSON.parse('{"__proto__":1}'))).toContain('__proto__: is not known');
  });

  it('cost no more than a few steps, whatever schema and arguments say [FT46]', () => {
    const endless = { anyOf: [{ $ref: '#' }, { $ref: '#' }] };
    expect(schemaMismatch(endless, { a: 1 })).toContain('none of the 2 forms');
    const twofold = {
      type: 'object',
      properties: { a: { anyOf: [{ $ref: '#' }, { $ref: '#' }] } },
      required: ['end'],
    };
    let deep: object = {};
    for (let depth = 0; depth < 90; depth += 1) deep = { a: deep, end: 1 };
    expect(schemaMismatch(twofold, deep)).toBeDefined();
  });
});
