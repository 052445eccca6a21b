import { describe, expect, it } from 'vitest';
import { ThoroughFirst } from './thorough-first.ts';

describe('the slow attempts', () => {
  it('are made until one process has withstood them, and not again [FR2]', async () => {
    const attempts = new ThoroughFirst();
    const asked: boolean[] = [];
    const start = (outcome: Promise<string>) =>
      attempts.run((thorough) => {
        asked.push(thorough);
        return outcome;
      });
    await expect(start(Promise.reject(new Error('leaks')))).rejects.toThrow('leaks');
    // Two at once: the second begins before the first has passed.
    await Promise.all([start(Promise.resolve('a')), start(Promise.resolve('b'))]);
    await expect(start(Promise.resolve('c'))).resolves.toBe('c');
    expect(asked).toEqual([true, true, true, false]);
  });
});
