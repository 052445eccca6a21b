import { countTokens as exact } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, it } from 'vitest';
import { countTokens } from './count-tokens.ts';

it.each([['hello world'], [''], ['{"path": "a/b.ts", "limit": 20}'], ['Grüße aus Kiel, 東京と'.repeat(20)]])(
  'counts %j as the vocabulary does [K6]',
  (text) => {
    expect(countTokens(text)).toBe(exact(text));
  },
);

it('takes what looks like a special token for text', () => {
  expect(countTokens('<|endoftext|>')).toBeGreaterThan(1);
});

it('counts runs without borders in time, and nearly right [K6]', () => {
  const hex = 'a1b2c3d4'.repeat(500);
  expect(Math.abs(countTokens(hex) / exact(hex) - 1)).toBeLessThan(0.02);
  // In one piece, each would take minutes.
  for (const sign of ['a', ' ', '-', '東']) expect(countTokens(sign.repeat(500_000))).toBeGreaterThan(1_000);
});
