import { expect, it } from 'vitest';
import { toUsage } from './finish-fields.ts';

it('counts what was read from the cache and what was written to it [D2] [K6]', () => {
  const usage = toUsage({
    inputTokens: { total: 100, noCache: 20, cacheRead: 50, cacheWrite: 30 },
    outputTokens: { total: 7, text: 7, reasoning: undefined },
  });
  expect(usage).toMatchObject({
    inputTokens: 100,
    cachedInputTokens: 50,
    cacheWriteTokens: 30,
    outputTokens: 7,
  });
});
