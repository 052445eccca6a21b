import { describe, expect, it } from 'vitest';
import { LARGE_ANSWER, modelOutputLimit, outputLimitOf, SMALL_ANSWER } from './output-limit.ts';

const PRICE = { input: 1, output: 1, cachedInput: 1 };

describe('the output limit of a model', () => {
  it.each([
    ['anthropic', 'claude-opus-5-5', 128_000],
    ['anthropic', 'claude-fable-5-1', 128_000],
    ['anthropic', 'claude-sonnet-4-6', 128_000],
    ['anthropic', 'claude-haiku-4-5-20251001', 64_000],
    ['anthropic', 'claude-sonnet-4-20250514', 64_000],
    ['anthropic', 'claude-opus-4-1-20250805', 32_000],
    ['anthropic', 'claude-3-haiku-20240307', 4_096],
    ['openai', 'gpt-6-sol', 128_000],
    ['openai', 'gpt-4.1', 32_768],
    ['openai', 'gpt-4o-mini', 16_384],
    ['google', 'gemini-3.8-flash', 65_536],
    ['google', 'gemini-1.5-pro', undefined],
    ['openai-compatible', 'gpt-6-sol', undefined],
    ['toString', 'x', undefined],
  ])('is known by name: %s/%s %s [L1]', (provider, model, limit) => {
    expect(modelOutputLimit(provider, model)).toBe(limit);
  });

  it('is what is configured, else the model’s own maximum, else the server’s own rule [L1]', () => {
    const known = { maxOutputTokens: 64_000, contextWindow: 200_000, price: PRICE };
    expect(outputLimitOf(known, 500, 0)).toBe(500);
    expect(outputLimitOf(known, undefined, 0)).toBe(64_000);
    const unknown = { contextWindow: 128_000, price: undefined };
    expect(outputLimitOf(unknown, undefined, 0)).toBeUndefined();
    expect(outputLimitOf(unknown, 500, 0)).toBe(500);
    // A spend cap counts with a limit.
    expect(outputLimitOf({ ...unknown, price: PRICE }, undefined, 0)).toBe(LARGE_ANSWER);
  });

  it('leaves room for the conversation in the window, and keeps enough for a short answer [L1]', () => {
    const model = { maxOutputTokens: 64_000, contextWindow: 200_000, price: PRICE };
    expect(outputLimitOf(model, undefined, 100_000)).toBe(64_000);
    expect(outputLimitOf(model, undefined, 160_000)).toBe(24_000);
    expect(outputLimitOf(model, undefined, 199_000)).toBe(SMALL_ANSWER);
    expect(outputLimitOf({ contextWindow: 8_192, price: PRICE }, undefined, 8_000)).toBe(2_048);
  });
});
