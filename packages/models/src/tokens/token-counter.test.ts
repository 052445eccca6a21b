import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createTokenCounter } from './token-counter.ts';

const PROGRAM = fileURLToPath(new URL('./main.ts', import.meta.url));

describe('the token counter', () => {
  it('counts in a thread of its own, in order [K6]', async () => {
    expect(await createTokenCounter(PROGRAM).count(['hello world', '', 'a'])).toEqual([2, 0, 1]);
  });

  it('ends with its caller, and refuses what is no request', async () => {
    const counter = createTokenCounter(PROGRAM);
    const abort = new AbortController();
    const counting = counter.count(['x '.repeat(2_000_000)], abort.signal);
    abort.abort(new Error('gone'));
    await expect(counting).rejects.toThrow('gone');
    await expect(counter.count(['x'.repeat(40_000_000)])).rejects.toMatchObject({ code: 'usage' });
    await expect(createTokenCounter(`${PROGRAM}.not-there`).count(['a'])).rejects.toMatchObject({
      code: 'internal',
    });
  });
});
