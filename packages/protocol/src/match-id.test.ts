import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BulkheadError } from './errors.ts';
import { matchId } from './match-id.ts';

const IDS = ['01ABCDEF1', '01ABCDEF2', '01ABCD', '01XYZXYZ'];

describe('an id that may be unfinished', () => {
  it.each([
    ['01ABCD', '01ABCD'],
    ['01ABCDEF1', '01ABCDEF1'],
    ['01xyzx', '01XYZXYZ'],
    ['YZXYZ1', undefined],
    ['xyzxyz', '01XYZXYZ'],
    ['CDEF2', 'too short'],
    ['01NOTHERE', undefined],
    ['', 'too short'],
    ['zzz', undefined],
  ])('%j is %j', (given, id) => {
    const matched = () => matchId(given, IDS, 'actions');
    if (id === 'too short') expect(matched).toThrow(id);
    else expect(matched()).toBe(id);
  });

  it('where harm could be done is no beginning: another one may have come meanwhile', () => {
    expect(matchId('01xyzx', IDS, 'questions', 'end')).toBeUndefined();
    expect(matchId('xyzxyz', IDS, 'questions', 'end')).toBe('01XYZXYZ');
  });

  it('names those that could be meant, and no more than fit', () => {
    expect(() => matchId('01abcde', IDS, 'actions')).toThrow(
      '2 actions could be 01abcde: 01ABCDEF1, 01ABCDEF2',
    );
    const many = Array.from({ length: 9 }, (_, index) => `012345${index}`);
    expect(() => matchId('012345', many, 'sessions')).toThrow(/9 sessions .*0123454 and 4 more$/);
  });

  it('never takes one for another', () => {
    const id = fc.string({ unit: fc.constantFrom('0', '1'), minLength: 6, maxLength: 8 });
    fc.assert(
      fc.property(fc.array(id), id, (ids, given) => {
        try {
          const found = matchId(given, ids, 'ids');
          const meant = new Set(ids.filter((one) => one.startsWith(given) || one.endsWith(given)));
          expect(found === undefined ? meant.size : meant.has(found)).toBe(found === undefined ? 0 : true);
          expect(found === given || meant.size <= 1).toBe(true);
        } catch (error) {
          if (!BulkheadError.is(error)) throw error;
          expect(error.code).toBe('usage');
        }
      }),
    );
  });
});
