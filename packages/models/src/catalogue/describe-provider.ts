import { BulkheadError, type ModelPrice } from '@bulkhead/protocol';
import type { KeySource } from '../errors/key-fix.ts';
import { keyNameOf } from '../key-names.ts';
import type { KeySources, ModelSettings } from '../model-settings.ts';
import { findPrice } from '../prices/find-price.ts';
import { MODEL_PRICES } from '../prices/model-prices.ts';
import { OFFLINE_CONTEXT_WINDOW, OFFLINE_MODEL, OFFLINE_PROVIDER } from '../provider-names.ts';
import { PROVIDER_TABLE } from '../provider-table.ts';
import { resolveBaseUrl } from '../resolve-base-url.ts';
import { resolveKey } from '../resolve-key.ts';

/** Whether a provider is ready for requests, as far as known without one. Contains no key. */
export interface ProviderDescription {
  readonly name: string;
  /** The source of its key; `not-needed`: none is sent. `missing`: one is needed. */
  readonly key: Exclude<KeySource, 'none'> | 'not-needed' | 'missing';
  /** Variable or secret that holds the key; empty if none is needed. */
  readonly keyName: string;
  /** Address of its API, without a trailing slash; empty if it has none or none is set. */
  readonly address: string;
  /** The reason why it can't be used. */
  readonly problem: BulkheadError | undefined;
}

/**
 * @param settings of a model of this provider
 * @throws BulkheadError `config_invalid` for an unknown provider
 */
export function describeProvider(
  settings: Pick<ModelSettings, 'provider' | 'baseUrl' | 'apiKeyEnv'>,
  keys: KeySources,
): ProviderDescription {
  const { provider: name } = settings;
  if (name === OFFLINE_PROVIDER)
    return { name, key: 'not-needed', keyName: '', address: '', problem: undefined };
  const entry = Object.hasOwn(PROVIDER_TABLE, name) ? PROVIDER_TABLE[name] : undefined;
  if (entry === undefined) throw new BulkheadError('config_invalid', `unknown provider "${name}"`);
  const named = { ...settings, model: '' };
  const key = resultOf(() => resolveKey(named, entry, keys).source);
  const address = resultOf(() => resolveBaseUrl(named, entry));
  return {
    name,
    key: 'problem' in key ? 'missing' : key.value === 'none' ? 'not-needed' : key.value,
    keyName: keyNameOf(settings) ?? '',
    address: 'problem' in address ? '' : address.value,
    problem: 'problem' in key ? key.problem : 'problem' in address ? address.problem : undefined,
  };
}

function resultOf<Value>(look: () => Value): { readonly value: Value } | { readonly problem: BulkheadError } {
  try {
    return { value: look() };
  } catch (error) {
    return { problem: BulkheadError.from(error) };
  }
}

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
