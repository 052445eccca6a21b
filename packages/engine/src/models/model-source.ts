import {
  createModelClient,
  type KeySources,
  type ModelSettings,
  type ModelTimeLimits,
  parseModelName,
} from '@bulkhead/models';
import { BulkheadError, type ModelClient } from '@bulkhead/protocol';
import type { ModelRole } from '../config/config-schema.ts';

/** What a run may ask for instead of the configured model. Empty strings mean the configured one. */
export interface ModelChoice {
  /** `provider/model` */
  readonly model: string;
  readonly baseUrl: string;
}

/** Used when a key is in the environment and no model is configured. */
const DEFAULT_ANTHROPIC_MODEL = 'claude-sonnet-5-5';

/**
 * The settings of the chat role: what the run asks for, else what is configured, else what a key in the
 * environment suggests, else the offline model.
 *
 * @throws BulkheadError `usage` for a name that is no `provider/model`, or a base URL without one
 */
export function chatModel(
  configured: ModelRole | undefined,
  keys: KeySources,
  choice: ModelChoice = { model: '', baseUrl: '' },
): ModelSettings {
  const base = choice.model === '' ? (configured ?? suggested(keys)) : fromName(choice.model, configured);
  const settings = withoutUndefined(base);
  if (choice.baseUrl === '') return settings;
  if (!URL.canParse(choice.baseUrl)) {
    throw new BulkheadError('usage', `--base-url "${choice.baseUrl}" is not a URL`, {
      fix: 'Give it whole, as in http://127.0.0.1:8080/v1.',
    });
  }
  return { ...settings, baseUrl: choice.baseUrl };
}

/** The configured address and key belong to the configured provider only: they don't follow to another. */
function fromName(name: string, configured: ModelRole | undefined): ModelRole {
  const { provider, model } = parseModelName(name);
  return configured?.provider === provider ? { ...configured, model } : { provider, model };
}

function suggested(keys: KeySources): ModelRole {
  const key = keys.environment['ANTHROPIC_API_KEY'] || keys.secret('ANTHROPIC_API_KEY');
  return key
    ? { provider: 'anthropic', model: DEFAULT_ANTHROPIC_MODEL }
    : { provider: 'offline', model: 'rules' };
}

function withoutUndefined({ provider, model, baseUrl, apiKeyEnv, contextWindow }: ModelRole): ModelSettings {
  return {
    provider,
    model,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(apiKeyEnv === undefined ? {} : { apiKeyEnv }),
    ...(contextWindow === undefined ? {} : { contextWindow }),
  };
}

/** Gives model clients by choice and keeps one per choice. Keys stay inside the clients. */
export class ModelSource {
  readonly #configured: ModelRole | undefined;
  readonly #keys: KeySources;
  readonly #limits: ModelTimeLimits;
  readonly #clients = new Map<string, ModelClient>();

  constructor(parts: {
    readonly configured: ModelRole | undefined;
    readonly keys: KeySources;
    readonly limits: ModelTimeLimits;
  }) {
    this.#configured = parts.configured;
    this.#keys = parts.keys;
    this.#limits = parts.limits;
  }

  /** @throws BulkheadError `missing_key`, `usage` or `config_invalid`: which key or name, and how to mend it */
  client(choice: ModelChoice): ModelClient {
    const settings = chatModel(this.#configured, this.#keys, choice);
    const key = JSON.stringify(settings);
    const known = this.#clients.get(key);
    if (known !== undefined) return known;
    const client = createModelClient(settings, this.#keys, { limits: this.#limits });
    this.#clients.set(key, client);
    return client;
  }
}
