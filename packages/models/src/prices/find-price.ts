import type { ModelPrice } from '@bulkhead/protocol';
import { MODEL_PRICES } from './model-prices.ts';

/**
 * A dated or numbered edition of a model costs what the model costs: `-20251001`, `-2025-08-07`,
 * `-001`.
 */
const EDITION = /-(\d{8}|\d{4}-\d{2}-\d{2}|\d{3})$/;

const FREE: ModelPrice = { input: 0, output: 0, cachedInput: 0 };

/**
 * The price of a model; undefined if unknown, which does not mean free. Only models on the person's
 * own machine are free: not Ollama's cloud models.
 */
export function findPrice(provider: string, model: string): ModelPrice | undefined {
  if (provider === 'ollama') return /[-:]cloud$/.test(model) ? undefined : FREE;
  const prices = Object.hasOwn(MODEL_PRICES, provider) ? MODEL_PRICES[provider] : undefined;
  if (prices === undefined) return undefined;
  const name = Object.hasOwn(prices, model) ? model : model.replace(EDITION, '');
  return Object.hasOwn(prices, name) ? prices[name] : undefined;
}
