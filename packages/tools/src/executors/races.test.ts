import { describe, expect, it } from 'vitest';
import { race } from '../testing/race.ts';

/** Enough for the naive check to fail; on a busy machine the race continues until it does. */
const LEAST_MS = 2_500;
const MOST_MS = 30_000;

/** `npm run race` makes a million attempts. */
describe('file tools raced by exchanges of names with links', () => {
  it('never tell or touch what lies outside, where a checked name does [FR5] [FT10]', async () => {
    const start = performance.now();
    const result = await race((_, fooled) => {
      const passed = performance.now() - start;
      return passed < LEAST_MS || (fooled === 0 && passed < MOST_MS);
    });
    expect(result.escapes).toEqual([]);
    for (const tool of ['read', 'ls', 'write', 'edit']) {
      const { attempts = 0, succeeded = 0 } = result.tools[tool] ?? {};
      expect(succeeded, `${tool}: the folder was met`).toBeGreaterThan(0);
      expect(attempts - succeeded, `${tool}: the link was met`).toBeGreaterThan(0);
    }
    expect(result.naive.escapes).toBeGreaterThan(0);
  });
});
