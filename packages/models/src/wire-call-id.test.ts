import fc from 'fast-check';
import { expect, it } from 'vitest';
import { wireCallId } from './to-prompt.ts';

it('is plain for any id, the same for the same, and itself where that is plain already', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), (id) => {
      const plain = wireCallId(id, 'plain');
      expect(plain).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      expect(wireCallId(id, 'plain')).toBe(plain);
      expect(wireCallId(plain, 'plain')).toBe(plain);
      expect(wireCallId(id, 'any')).toBe(id);
    }),
  );
  expect(wireCallId('toolu_01-A', 'plain')).toBe('toolu_01-A');
  expect(wireCallId('a:1', 'plain')).not.toBe(wireCallId('a:2', 'plain'));
});
