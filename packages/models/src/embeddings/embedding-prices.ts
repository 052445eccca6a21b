import type { ModelPrice } from '@bulkhead/protocol';

/**
 * US dollars per million tokens of embedding models, which have no output and no cache. OpenAI's by
 * its model pages, Google's by its announcement; read November 2026. Uncertain prices are left out.
 */
const PRICES: Readonly<Record<string, number>> = {
  'openai/text-embedding-3-large': 0.13,
  'openai/text-embedding-3-small': 0.02,
  'google/gemini-embedding-001': 0.15,
};

/** @param name `provider/model` */
export function embeddingPrice(name: string): ModelPrice | undefined {
  const input = Object.hasOwn(PRICES, name) ? PRICES[name] : undefined;
  return input === undefined ? undefined : { input, output: 0, cachedInput: input };
}
