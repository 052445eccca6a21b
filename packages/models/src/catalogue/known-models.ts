import type { ModelPrice } from '@bulkhead/protocol';
import { findPrice } from '../prices/find-price.ts';
import { MODEL_PRICES } from '../prices/model-prices.ts';
import { OFFLINE_CONTEXT_WINDOW, OFFLINE_MODEL, OFFLINE_PROVIDER } from '../provider-names.ts';
import { PROVIDER_TABLE } from '../provider-table.ts';

/** Facts about a model that need no request. */
export interface ModelFacts {
  /** Tokens of one request: the usual size for the provider's models. */
  readonly contextWindow: number;
  /** Undefined if unknown, which does not mean free. */
  readonly price: ModelPrice | undefined;
}

/** Known names of a provider's models, in the provider's spelling. Providers also have others. */
export function knownModels(provider: string): readonly string[] {
  if (provider === OFFLINE_PROVIDER) return [OFFLINE_MODEL];
  return Object.hasOwn(MODEL_PRICES, provider) ? Object.keys(MODEL_PRICES[provider] ?? {}) : [];
}

/** @param contextWindow from the settings, tokens */
export function modelFacts(provider: string, model: string, contextWindow?: number): ModelFacts {
  const entry = Object.hasOwn(PROVIDER_TABLE, provider) ? PROVIDER_TABLE[provider] : undefined;
  const price = provider === OFFLINE_PROVIDER ? FREE : findPrice(provider, model);
  return { contextWindow: contextWindow ?? entry?.contextWindow ?? OFFLINE_CONTEXT_WINDOW, price };
}

const FREE: ModelPrice = { input: 0, output: 0, cachedInput: 0 };
