import { describe, expect, it } from 'vitest';
import { findPrice } from './find-price.ts';
import { MODEL_PRICES } from './model-prices.ts';

describe('findPrice', () => {
  it.each([
    ['anthropic', 'claude-haiku-4-5', 'claude-haiku-4-5-20251001'],
    ['openai', 'gpt-5', 'gpt-5-2025-08-07'],
    ['google', 'gemini-3.5-flash', 'gemini-3.5-flash-001'],
  ])('%s/%s and its edition %s cost the same [D2]', (provider, model, edition) => {
    expect(findPrice(provider, model)).toBeDefined();
    expect(findPrice(provider, edition)).toEqual(findPrice(provider, model));
  });

  it.each([
    ['anthropic', 'claude-sonnet-5-5-turbo'],
    ['anthropic', 'claude-sonnet'],
    ['openai', 'gpt-5-pro'],
    ['openai', 'gpt-5.4-mini-audio'],
    ['google', 'gemini-3.5-flash-image'],
    ['openai', 'constructor'],
    ['__proto__', 'gpt-5'],
    ['openrouter', 'openai/gpt-5'],
    ['openai-compatible', 'gpt-5'],
    ['ollama', 'gpt-oss:120b-cloud'],
    ['ollama', 'kimi-k2:cloud'],
  ])('does not know what %s/%s costs: a name that is only alike says nothing [D2]', (provider, model) => {
    expect(findPrice(provider, model)).toBeUndefined();
  });

  it.each(
    Object.entries(MODEL_PRICES).flatMap(([provider, list]) =>
      Object.entries(list).map(([model, price]) => ({ provider, model, price })),
    ),
  )('$provider/$model: cached input is cheapest, output dearest, long prompts dearer', ({ price }) => {
    for (const tier of [price, price.longPrompt ?? price]) {
      expect(tier.cachedInput).toBeGreaterThan(0);
      expect(tier.cachedInput).toBeLessThan(tier.input);
      expect(tier.output).toBeGreaterThan(tier.input);
    }
    expect(price.longPrompt?.input ?? Infinity).toBeGreaterThan(price.input);
  });
});
