import type { EmbeddingModelV4 } from '@ai-sdk/provider';
import { BulkheadError, type ModelPrice, systemClock } from '@bulkhead/protocol';
import { classifyProviderError } from '../errors/classify-provider-error.ts';
import { createGuardedFetch } from '../guarded-fetch.ts';
import type { KeySources, ModelSettings } from '../model-settings.ts';
import { findPrice } from '../prices/find-price.ts';
import { PROVIDER_TABLE } from '../provider-table.ts';
import { resolveBaseUrl } from '../resolve-base-url.ts';
import { resolveKey } from '../resolve-key.ts';
import { cancelledError } from '../stream-errors.ts';
import {
  EMBEDDING_PROVIDERS,
  type EmbeddingProvider,
  type EmbeddingPurpose,
  embeddingPrice,
} from './embedding-providers.ts';

/** Vectors of some texts, and their usage. */
interface Embeddings {
  /** One per text, in order, all of one length. */
  readonly vectors: readonly Float32Array[];
  /** Tokens, by the provider's count; undefined if it gave none. */
  readonly tokens: number | undefined;
}

/** An embedding model of a provider. */
export interface EmbeddingClient {
  /** `provider/model` */
  readonly name: string;
  /** Another address is another server, which may give other vectors. */
  readonly baseUrl: string;
  /** US dollars per million tokens; undefined if unknown. */
  readonly price: ModelPrice | undefined;
  /**
   * One request, whatever the number of texts: see `mostTexts`.
   *
   * @throws BulkheadError `timeout`, `cancelled`, or the provider's error, as for answers;
   * `details.answered` is true for an unusable answer, which the provider may have charged
   */
  embed(texts: readonly string[], purpose: EmbeddingPurpose, signal: AbortSignal): Promise<Embeddings>;
  /** Most texts of one request. */
  mostTexts(): Promise<number>;
}

export interface EmbeddingClientOptions {
  /** Time limit of one request. Default 60,000. */
  readonly timeoutMs?: number;
  /** Milliseconds since the epoch; only read to understand dates in `Retry-After`. */
  readonly now?: () => number;
}

/** Longest accepted vector, numbers: no model has more, but a server could send more. */
const MAX_DIMENSION = 16_384;

/**
 * A client for the embedding model in the settings. Loads and sends nothing before the first
 * request. The key goes to the one origin only.
 *
 * @throws BulkheadError `config_invalid` for a provider without embedding models or an invalid base
 * URL, `missing_key`
 */
export function createEmbeddingClient(
  settings: ModelSettings,
  keys: KeySources,
  { timeoutMs = 60_000, now = systemClock.now }: EmbeddingClientOptions = {},
): EmbeddingClient {
  const { provider, model } = settings;
  const entry = Object.hasOwn(PROVIDER_TABLE, provider) ? PROVIDER_TABLE[provider] : undefined;
  const load = Object.hasOwn(EMBEDDING_PROVIDERS, provider) ? EMBEDDING_PROVIDERS[provider] : undefined;
  if (entry === undefined || load === undefined) {
    throw new BulkheadError('config_invalid', `${provider} has no embedding models`, {
      fix: `Set models.embedding to one of: ${Object.keys(EMBEDDING_PROVIDERS).join(', ')}.`,
    });
  }
  const baseUrl = resolveBaseUrl(settings, entry);
  const { value: apiKey, source: keySource } = resolveKey(settings, entry, keys);
  const name = `${provider}/${model}`;
  const context = {
    provider,
    model,
    baseUrl,
    keyName: settings.apiKeyEnv ?? entry.keyName,
    keySource,
    namesNoKey: entry.key === 'none' && settings.apiKeyEnv === undefined,
    secrets: apiKey === undefined ? [] : [apiKey],
    now,
  };
  let loading: Promise<{ readonly from: EmbeddingProvider; readonly made: EmbeddingModelV4 }> | undefined;
  const loaded = () => {
    loading ??= load().then((from) => {
      const connection = { model, baseUrl, apiKey, contextWindow: 0, fetch: createGuardedFetch(baseUrl) };
      return { from, made: from.create(connection) };
    });
    return loading;
  };
  return {
    name,
    baseUrl,
    price: settings.price ?? embeddingPrice(name) ?? findPrice(provider, model),
    mostTexts: async () => (await loaded()).from.mostTexts,
    async embed(texts, purpose, signal) {
      const late = AbortSignal.timeout(timeoutMs);
      try {
        signal.throwIfAborted();
        const { from, made } = await loaded();
        const providerOptions = from.options?.(purpose);
        const { embeddings, usage } = await made.doEmbed({
          values: [...texts],
          abortSignal: AbortSignal.any([signal, late]),
          ...(providerOptions === undefined ? {} : { providerOptions }),
        });
        return { vectors: checked(name, embeddings, texts.length), tokens: countOf(usage?.tokens) };
      } catch (error) {
        if (signal.aborted) throw cancelledError(name);
        throw late.aborted ? tooSlow(name, timeoutMs) : failureOf(classifyProviderError(error, context));
      }
    },
  };
}

/**
 * @throws BulkheadError `server_error` unless the answer has one vector per text, of numbers and
 * all of one length
 */
function checked(name: string, embeddings: readonly (readonly number[])[], wanted: number): Float32Array[] {
  const dimension = embeddings[0]?.length ?? 0;
  const isSound =
    embeddings.length === wanted &&
    dimension > 0 &&
    dimension <= MAX_DIMENSION &&
    embeddings.every((vector) => vector.length === dimension && vector.every(Number.isFinite));
  if (isSound) return embeddings.map((vector) => Float32Array.from(vector));
  throw new BulkheadError('server_error', `${name} gave no vectors that can be used for ${wanted} texts`, {
    fix: 'Check that models.embedding names an embedding model.',
    details: { answered: true },
  });
}

/** With `answered` if the server accepted the request but its answer could not be read. */
function failureOf(failure: BulkheadError): BulkheadError {
  const { status } = failure.details;
  if (typeof status !== 'number' || status < 200 || status > 299) return failure;
  const { code, message, retryable, fix, details } = failure;
  return new BulkheadError(code, message, {
    retryable,
    details: { ...details, answered: true },
    ...(fix === undefined ? {} : { fix }),
  });
}

/** The server's own count: a negative one would return money to a spending cap. */
function countOf(tokens: number | undefined): number | undefined {
  return tokens !== undefined && Number.isSafeInteger(tokens) && tokens >= 0 ? tokens : undefined;
}

function tooSlow(name: string, limitMs: number): BulkheadError {
  return new BulkheadError('timeout', `${name} gave no vectors within ${limitMs / 1_000} s`, {
    retryable: true,
    details: { limitMs },
  });
}
