import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costOf } from './cost-of.ts';

const price = { input: 3, output: 15, cachedInput: 0.3 };
const tokens = fc.nat(2_000_000);

describe('costOf', () => {
  it('pays fresh input, cached input and output each at their price [D2]', () => {
    const usage = { inputTokens: 1_000_000, cachedInputTokens: 400_000, outputTokens: 100_000 };
    expect(costOf(usage, price)).toBeCloseTo(0.6 * 3 + 0.4 * 0.3 + 0.1 * 15, 10);
    expect(costOf({ inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 }, price)).toBe(0);
  });

  it('counts cached tokens once, even if more of them are reported than of input [D2]', () => {
    expect(costOf({ inputTokens: 10, cachedInputTokens: 99, outputTokens: 0 }, price)).toBeCloseTo(
      10 * 0.3e-6,
      12,
    );
  });

  it('pays what is written to the cache at its own price, once [D2]', () => {
    const usage = {
      inputTokens: 1_000_000,
      cachedInputTokens: 300_000,
      cacheWriteTokens: 200_000,
      outputTokens: 0,
    };
    expect(costOf(usage, { ...price, cacheWrite: 3.75 })).toBeCloseTo(0.5 * 3 + 0.3 * 0.3 + 0.2 * 3.75, 10);
    expect(costOf(usage, price)).toBeCloseTo(0.7 * 3 + 0.3 * 0.3, 10);
    expect(costOf({ ...usage, cacheWriteTokens: 9_000_000 }, { ...price, cacheWrite: 3.75 })).toBeCloseTo(
      0.3 * 0.3 + 0.7 * 3.75,
      10,
    );
  });

  it('takes the price of long prompts for the whole request, from the limit on [D2]', () => {
    const tiered = {
      ...price,
      longPrompt: { above: 200_000, input: 6, output: 22.5, cachedInput: 0.6 },
    };
    const at = (inputTokens: number): number =>
      costOf({ inputTokens, cachedInputTokens: 0, outputTokens: 1_000_000 }, tiered);
    expect(at(200_000)).toBeCloseTo(0.6 + 15, 10);
    expect(at(200_001)).toBeCloseTo(200_001 * 6e-6 + 22.5, 10);
  });

  it('is never negative, and more tokens never cost less [D2]', () => {
    fc.assert(
      fc.property(tokens, tokens, tokens, tokens, (input, cached, output, more) => {
        const usage = { inputTokens: input, cachedInputTokens: cached, outputTokens: output };
        const cost = costOf(usage, price);
        expect(cost).toBeGreaterThanOrEqual(0);
        expect(costOf({ ...usage, outputTokens: output + more }, price)).toBeGreaterThanOrEqual(cost);
        expect(costOf({ ...usage, inputTokens: input + more }, price)).toBeGreaterThanOrEqual(cost);
      }),
    );
  });
});
