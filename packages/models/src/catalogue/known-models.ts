import type { ModelPrice } from '@bulkhead/protocol';
import { findPrice } from '../prices/find-price.ts';
import { MODEL_PRICES } from '../prices/model-prices.ts';
import { OFFLINE_CONTEXT_WINDOW, OFFLINE_MODEL, OFFLINE_PROVIDER } from '../provider-names.ts';
import { PROVIDER_TABLE } from '../provider-table.ts';

/** What is known of a model without asking anybody. */
export interface ModelFacts {
  /** Tokens of one request: what models of the provider usually have. */
  readonly contextWindow: number;
  /** Undefined if it isn't known, which is not the same as free. */
  readonly price: ModelPrice | undefined;
}

/** Names of the models of a provider that are known by name, as the provider writes them. Providers have others, too. */
export function knownModels(provider: string): readonly string[] {
  if (provider === OFFLINE_PROVIDER) return [OFFLINE_MODEL];
  return Object.hasOwn(MODEL_PRICES, provider) ? Object.keys(MODEL_PRICES[provider] ?? {}) : [];
}

/** @param contextWindow as settings say it, tokens */
export function modelFacts(provider: string, model: string, contextWindow?: number): ModelFacts {
  const entry = Object.hasOwn(PROVIDER_TABLE, provider) ? PROVIDER_TABLE[provider] : undefined;
  const price = provider === OFFLINE_PROVIDER ? FREE : findPrice(provider, model);
  return { contextWindow: contextWindow ?? entry?.contextWindow ?? OFFLINE_CONTEXT_WINDOW, price };
}

const FREE: ModelPrice = { input: 0, output: 0, cachedInput: 0 };
