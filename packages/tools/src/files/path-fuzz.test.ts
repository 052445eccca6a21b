import { describe, expect, it } from 'vitest';
import { fuzzPaths } from '../testing/path-fuzz.ts';

/** `npm run race -- --paths N` compares a million. */
const PATHS = 15_000;

describe('the walk over random paths', () => {
  it('finds what a resolver without a file system finds, and nothing from outside [FR5] [FT11]', () => {
    const { meanings, differences } = fuzzPaths(PATHS, 1);
    expect(differences).toEqual([]);
    expect(Object.keys(meanings)).toEqual(
      expect.arrayContaining([
        'in a',
        'in b',
        'in percent',
        'in backslash',
        'blocked',
        'tool_failed',
        'invalid_arguments',
      ]),
    );
    expect(JSON.stringify(meanings)).not.toMatch(/OUTSIDE|secret|unknown/);
  });
});
