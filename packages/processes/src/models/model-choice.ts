import type { ModelRole } from '@bulkhead/home/config/config-schema';
import { CONFIGURED, type ModelChoice } from '@bulkhead/log/session/accepted-input';
import { type KeySources, type ModelSettings, parseModelName } from '@bulkhead/models';
import { BulkheadError } from '@bulkhead/protocol';
import { suggestedModel } from './suggested-model.ts';

/**
 * The chat role: the run's choice, else the configured model, else an available one.
 *
 * @param parts.local a local model, if one was found
 * @throws BulkheadError `usage` for a name that is not `provider/model`, or an invalid base URL
 */
export function chatRole(
  parts: {
    readonly configured: ModelRole | undefined;
    readonly keys: KeySources;
    readonly local?: ModelRole | undefined;
  },
  choice: ModelChoice = CONFIGURED,
): ModelRole {
  const { configured, keys, local } = parts;
  const role =
    choice.model === '' ? (configured ?? suggestedModel(keys, local)) : fromName(choice.model, configured);
  if (choice.baseUrl === '') return role;
  if (!URL.canParse(choice.baseUrl)) {
    throw new BulkheadError('usage', `--base-url "${choice.baseUrl}" is not a URL`, {
      fix: 'Give it whole, as in http://127.0.0.1:8080/v1.',
    });
  }
  return { ...role, baseUrl: choice.baseUrl };
}

/**
 * The configured address and key belong to the configured provider only, and are not used for
 * another. Size, price and thinking belong to the configured model.
 */
function fromName(name: string, configured: ModelRole | undefined): ModelRole {
  const { provider, model } = parseModelName(name);
  if (configured?.provider !== provider) return { provider, model };
  if (configured.model === model) return configured;
  const { baseUrl, apiKeyEnv } = configured;
  return {
    provider,
    model,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(apiKeyEnv === undefined ? {} : { apiKeyEnv }),
  };
}

/** Converts a configured role for the model gateway. */
export function settingsOf(role: ModelRole): ModelSettings {
  const { provider, model, baseUrl, apiKeyEnv, contextWindow, thinking, price } = role;
  return {
    provider,
    model,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(apiKeyEnv === undefined ? {} : { apiKeyEnv }),
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(thinking === undefined ? {} : { thinking }),
    ...(price === undefined ? {} : { price: { ...price, cachedInput: price.cachedInput ?? price.input } }),
  };
}
