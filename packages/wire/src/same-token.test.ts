import { describe, expect, it } from 'vitest';
import { sameToken } from './same-token.ts';

describe('sameToken [P5]', () => {
  it.each([
    ['a', 'a', true],
    ['a', 'b', false],
    ['a', 'aa', false],
    ['', 'a', false],
    ['a', '', false],
    ['', '', false],
  ])('of %j for %j is %j', (given, expected, same) => {
    expect(sameToken(given, expected)).toBe(same);
  });
});
