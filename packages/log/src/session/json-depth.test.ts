import { describe, expect, it } from 'vitest';
import { jsonDepth } from './json-depth.ts';

describe('jsonDepth', () => {
  it.each([
    ['1', 0],
    ['{"a":[1,{"b":[]}]}', 4],
    ['"[[[["', 0],
    ['["\\\\",["\\"]"]]', 2],
  ])('of %s is %i', (text, depth) => {
    expect(jsonDepth(text)).toBe(depth);
  });

  it('takes any depth', () => {
    expect(jsonDepth('['.repeat(1_000_000))).toBe(1_000_000);
  });
});
