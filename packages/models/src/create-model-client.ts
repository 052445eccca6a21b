import { BulkheadError, type ModelClient, systemClock } from '@bulkhead/protocol';
import { MAX_EVENT_BYTES } from './answer-limit.ts';
import { modelOutputLimit } from './catalogue/output-limit.ts';
import { createGuardedFetch } from './guarded-fetch.ts';
import {
  DEFAULT_TIME_LIMITS,
  type KeySources,
  type ModelSettings,
  type ModelTimeLimits,
} from './model-settings.ts';
import { createOfflineModel } from './offline/offline-model.ts';
import { OutputLimitRetry } from './output-limit-retry.ts';
import { findPrice } from './prices/find-price.ts';
import { OFFLINE_MODEL, OFFLINE_PROVIDER } from './provider-names.ts';
import { KNOWN_PROVIDERS, PROVIDER_TABLE, type ProviderEntry } from './provider-table.ts';
import { resolveBaseUrl } from './resolve-base-url.ts';
import { resolveKey } from './resolve-key.ts';
import { type LoadedModel, streamAnswer } from './stream-answer.ts';

export interface ModelClientOptions {
  readonly limits?: Partial<ModelTimeLimits>;
  /** Milliseconds since the epoch; only read to understand dates in `Retry-After`. */
  readonly now?: () => number;
}

/**
 * A client for the model in the settings. Loads and sends nothing before the first request. Reads
 * the key here and keeps it: only a later client sees a changed key.
 * @throws BulkheadError `config_invalid` for an unknown provider or an invalid base URL,
 * `missing_key` if the provider needs a key that no source has
 */
export function createModelClient(
  settings: ModelSettings,
  keys: KeySources,
  options: ModelClientOptions = {},
): ModelClient {
  if (settings.provider === OFFLINE_PROVIDER) return createOfflineClient(settings);
  const entry = providerEntry(settings.provider);
  const baseUrl = resolveBaseUrl(settings, entry);
  const { value: apiKey, source: keySource } = resolveKey(settings, entry, keys);
  const { provider, model } = settings;
  const contextWindow = settings.contextWindow ?? entry.contextWindow;
  const maxOutputTokens = modelOutputLimit(provider, model) ?? entry.assumedOutputLimit;
  let loading: Promise<LoadedModel> | undefined;
  const load = (): Promise<LoadedModel> => {
    loading ??= entry.load().then((adapter) => {
      const end = adapter.streamType === 'ndjson' ? 'line' : 'empty line';
      const fetch = createGuardedFetch(baseUrl, { end, bytes: MAX_EVENT_BYTES });
      return {
        adapter,
        model: adapter.createLanguageModel({ model, baseUrl, apiKey, contextWindow, fetch }),
      };
    });
    return loading;
  };
  const source = {
    name: `${provider}/${model}`,
    load,
    wishes: { model, thinking: settings.thinking },
    limits: { ...DEFAULT_TIME_LIMITS, ...options.limits },
    errors: {
      provider,
      model,
      baseUrl,
      keyName: settings.apiKeyEnv ?? entry.keyName,
      keySource,
      namesNoKey: entry.key === 'none' && settings.apiKeyEnv === undefined,
      secrets: apiKey === undefined ? [] : [apiKey],
      now: options.now ?? systemClock.now,
    },
  };
  const retry = new OutputLimitRetry((call, signal) => streamAnswer(source, call, signal));
  return {
    name: source.name,
    contextWindow,
    maxOutputTokens,
    price: settings.price ?? findPrice(provider, model),
    stream: (call, signal) => retry.stream(call, signal),
  };
}

function createOfflineClient(settings: ModelSettings): ModelClient {
  if (settings.model === OFFLINE_MODEL) return createOfflineModel(settings.contextWindow);
  throw new BulkheadError('config_invalid', `the offline provider has no model "${settings.model}"`, {
    fix: `Its only model is ${OFFLINE_PROVIDER}/${OFFLINE_MODEL}.`,
  });
}

function providerEntry(name: string): ProviderEntry {
  const entry = Object.hasOwn(PROVIDER_TABLE, name) ? PROVIDER_TABLE[name] : undefined;
  if (entry !== undefined) return entry;
  throw new BulkheadError('config_invalid', `unknown provider "${name}"`, {
    fix: `Known providers: ${KNOWN_PROVIDERS.join(', ')}.`,
  });
}
