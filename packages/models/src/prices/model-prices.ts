import type { ModelPrice } from '@bulkhead/protocol';

/** A price that changes for the whole request when its input is long. */
export interface TieredPrice extends ModelPrice {
  readonly longPrompt?: ModelPrice & {
    /** From this many input tokens on, including those read from the cache. */
    readonly above: number;
  };
}

type PriceList = Readonly<Record<string, TieredPrice>>;

/**
 * US dollars per million tokens: the standard tier for text. Temporary discounts are ignored, so
 * that a spending limit holds. Uncertain prices are left out.
 */

/**
 * Writing to a cache that holds for five minutes costs a quarter more than input: at Anthropic, and
 * at OpenAI from GPT-5.6 on.
 */
const WRITE = 1.25;

function withWrites(prices: PriceList): PriceList {
  return Object.fromEntries(
    Object.entries(prices).map(([name, { longPrompt, ...price }]) => [
      name,
      {
        ...price,
        cacheWrite: price.input * WRITE,
        ...(longPrompt === undefined
          ? {}
          : { longPrompt: { ...longPrompt, cacheWrite: longPrompt.input * WRITE } }),
      },
    ]),
  );
}

/** https://platform.claude.com/docs/en/about-claude/pricing, read November 2026. */
const ANTHROPIC: PriceList = withWrites({
  'claude-fable-5-1': { input: 10, output: 50, cachedInput: 0.25 },
  'claude-fable-5': { input: 10, output: 50, cachedInput: 1 },
  'claude-opus-5-5': { input: 4, output: 20, cachedInput: 0.2 },
  'claude-opus-5': { input: 5, output: 25, cachedInput: 0.5 },
  'claude-opus-4-8': { input: 5, output: 25, cachedInput: 0.5 },
  'claude-opus-4-7': { input: 5, output: 25, cachedInput: 0.5 },
  'claude-opus-4-6': { input: 5, output: 25, cachedInput: 0.5 },
  'claude-opus-4-5': { input: 5, output: 25, cachedInput: 0.5 },
  'claude-opus-4-1': { input: 15, output: 75, cachedInput: 1.5 },
  'claude-sonnet-5-5': { input: 2, output: 10, cachedInput: 0.1 },
  'claude-sonnet-5': { input: 2, output: 10, cachedInput: 0.2 },
  'claude-sonnet-4-6': { input: 3, output: 15, cachedInput: 0.3 },
  'claude-sonnet-4-5': { input: 3, output: 15, cachedInput: 0.3 },
  'claude-haiku-5-5': {
    input: 0.1,
    output: 0.5,
    cachedInput: 0.01,
    longPrompt: { above: 100_000, input: 0.5, output: 2.5, cachedInput: 0.05 },
  },
  'claude-haiku-4-5': { input: 1, output: 5, cachedInput: 0.1 },
});

/**
 * https://developers.openai.com/api/docs/pricing, read November 2026: a long prompt costs twice,
 * its answer half as much again.
 */
const LONG_PROMPT = 272_000;

function openAIPrice(input: number, output: number, cachedInput: number): TieredPrice {
  const longPrompt = {
    above: LONG_PROMPT,
    input: input * 2,
    output: output * 1.5,
    cachedInput: cachedInput * 2,
  };
  return { input, output, cachedInput, longPrompt };
}

const OPENAI: PriceList = {
  ...withWrites({
    'gpt-6.1-terra': openAIPrice(1, 5, 0.05),
    'gpt-6.1-sol': openAIPrice(2, 10, 0.1),
    'gpt-6-astra': openAIPrice(10, 50, 1),
    'gpt-6-sol': openAIPrice(2, 10, 0.2),
    'gpt-6-luna': openAIPrice(0.1, 0.5, 0.01),
    'gpt-5.6-terra': openAIPrice(2, 12, 0.2),
    'gpt-5.6-sol': openAIPrice(5, 30, 0.5),
    'gpt-5.6-luna': openAIPrice(0.2, 1.2, 0.02),
  }),
  'gpt-5.5': openAIPrice(5, 30, 0.5),
  'gpt-5.4': openAIPrice(2.5, 15, 0.25),
  'gpt-5.4-mini': { input: 0.75, output: 4.5, cachedInput: 0.075 },
  'gpt-5.4-nano': { input: 0.2, output: 1.25, cachedInput: 0.02 },
  'gpt-5.2': { input: 1.75, output: 14, cachedInput: 0.175 },
  'gpt-5.1': { input: 1.25, output: 10, cachedInput: 0.125 },
  'gpt-5': { input: 1.25, output: 10, cachedInput: 0.125 },
  'gpt-5-mini': { input: 0.25, output: 2, cachedInput: 0.025 },
  'gpt-4.1': { input: 2, output: 8, cachedInput: 0.5 },
  'gpt-4o': { input: 2.5, output: 10, cachedInput: 1.25 },
  'gpt-4o-mini': { input: 0.15, output: 0.6, cachedInput: 0.075 },
};

/** https://ai.google.dev/gemini-api/docs/pricing, read October 2026. */
const GOOGLE: PriceList = {
  'gemini-3.8-flash': { input: 1.5, output: 7.5, cachedInput: 0.15 },
  'gemini-3.7-flash': { input: 1.5, output: 7.5, cachedInput: 0.15 },
  'gemini-3.6-flash': { input: 1.5, output: 7.5, cachedInput: 0.15 },
  'gemini-3.5-flash': { input: 1.5, output: 9, cachedInput: 0.15 },
  'gemini-3.5-flash-lite': { input: 0.3, output: 2.5, cachedInput: 0.03 },
  'gemini-3.1-pro-preview': {
    input: 2,
    output: 12,
    cachedInput: 0.2,
    longPrompt: { above: 200_000, input: 4, output: 18, cachedInput: 0.4 },
  },
};

export const MODEL_PRICES: Readonly<Record<string, PriceList>> = {
  anthropic: ANTHROPIC,
  openai: OPENAI,
  google: GOOGLE,
};
