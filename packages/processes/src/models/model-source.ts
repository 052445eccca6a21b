import type { Config, ModelRole } from '@bulkhead/home/config/config-schema';
import { CONFIGURED, type ModelChoice } from '@bulkhead/log/session/accepted-input';
import { createModelClient, type KeySources, type ModelTimeLimits } from '@bulkhead/models';
import { BulkheadError, type ModelClient } from '@bulkhead/protocol';
import { chatRole, settingsOf } from './model-choice.ts';
import { type ProviderKey, providerKeys } from './provider-keys.ts';

/** Uses of a model besides the conversation. Each falls back to the chat model. */
export type SideRole = 'title' | 'compaction' | 'shield' | 'subagent';

/** A fallback that can't be used, and the reason. */
export interface SkippedModel {
  /** `provider/model` */
  readonly name: string;
  readonly reason: string;
}

interface MadeClient {
  readonly client: ModelClient;
  readonly cacheKey: string;
  /** The stored secrets it was made from, by name. */
  readonly secrets: ReadonlyMap<string, string | undefined>;
  readonly maxOutputTokens: number | undefined;
}

/** Gives model clients by choice and role, and keeps one for each. Keys stay inside. */
export class ModelSource {
  #models: Config['models'];
  readonly #local: ModelRole | undefined;
  readonly #keys: KeySources;
  readonly #limits: ModelTimeLimits;
  readonly #current = new Map<string, MadeClient>();
  /** Also of replaced clients that a run still holds. */
  readonly #made = new WeakMap<ModelClient, MadeClient>();

  /** @param parts.local a local model, for when neither a model nor a key is configured */
  constructor(parts: {
    readonly models: Config['models'];
    readonly local?: ModelRole | undefined;
    readonly keys: KeySources;
    readonly limits: ModelTimeLimits;
  }) {
    this.#models = parts.models;
    this.#local = parts.local;
    this.#keys = parts.keys;
    this.#limits = parts.limits;
  }

  /**
   * The model of a conversation.
   *
   * @throws BulkheadError `missing_key`, `usage` or `config_invalid`: names the key or model, and
   *   the remedy
   */
  client(choice: ModelChoice): ModelClient {
    return this.#clientOf(this.#chat(choice));
  }

  /**
   * The model for the role `name`; if it has none, the model of its conversation.
   *
   * @throws BulkheadError as `client`
   */
  role(name: SideRole, choice: ModelChoice = CONFIGURED): ModelClient {
    const own = this.#models[name];
    return own === undefined ? this.client(choice) : this.#clientOf(own);
  }

  /** The present configuration. */
  get models(): Config['models'] {
    return this.#models;
  }

  /** Sets the chat model for new runs; a running one keeps its own. */
  setChat(chat: ModelRole | undefined): void {
    this.#models = { ...this.#models, chat };
  }

  /** The models to try when the chosen one fails, in order. Unusable ones are left out. */
  fallbacks(choice: ModelChoice): readonly ModelClient[] {
    const chosen = cacheKeyOf(this.#chat(choice));
    return this.#models.fallback
      .filter((role) => cacheKeyOf(role) !== chosen)
      .flatMap((role) => {
        const client = this.#clientOrReason(role);
        return typeof client === 'string' ? [] : [client];
      });
  }

  /** The fallbacks that are left out, for status and doctor. */
  skippedFallbacks(): readonly SkippedModel[] {
    return this.#models.fallback.flatMap((role) => {
      const reason = this.#clientOrReason(role);
      return typeof reason === 'string' ? [{ name: `${role.provider}/${role.model}`, reason }] : [];
    });
  }

  /**
   * Drops a client whose key was refused, so that the next one uses the present secrets.
   *
   * @param refused as `client`, `role` or `fallbacks` gave it
   * @returns true if the key has changed: a retry makes sense
   */
  refresh(refused: ModelClient): boolean {
    const made = this.#made.get(refused);
    if (made === undefined) return false;
    // Another run may have done so already.
    if (this.#current.get(made.cacheKey) === made) this.#current.delete(made.cacheKey);
    try {
      return [...made.secrets].some(([name, value]) => this.#keys.secret(name) !== value);
    } catch {
      return false;
    }
  }

  /** The default model of conversations: configured, or found. */
  chatRole(): ModelRole {
    return this.#chat(CONFIGURED);
  }

  /** Where keys come from, by name. */
  providerKeys(): readonly ProviderKey[] {
    return providerKeys(this.#models, this.#keys);
  }

  /** Most tokens of one answer of this model, if its role sets a limit. */
  outputLimit(client: ModelClient): number | undefined {
    return this.#made.get(client)?.maxOutputTokens;
  }

  #chat(choice: ModelChoice): ModelRole {
    return chatRole({ configured: this.#models.chat, keys: this.#keys, local: this.#local }, choice);
  }

  #clientOrReason(role: ModelRole): ModelClient | string {
    try {
      return this.#clientOf(role);
    } catch (error) {
      return BulkheadError.from(error).message;
    }
  }

  #clientOf(role: ModelRole): ModelClient {
    const cacheKey = cacheKeyOf(role);
    const known = this.#current.get(cacheKey);
    if (known !== undefined) return known.client;
    const secrets = new Map<string, string | undefined>();
    const keys: KeySources = {
      environment: this.#keys.environment,
      secret: (name) => {
        const value = this.#keys.secret(name);
        secrets.set(name, value);
        return value;
      },
    };
    const client = createModelClient(settingsOf(role), keys, { limits: this.#limits });
    const made = { client, cacheKey, secrets, maxOutputTokens: role.maxOutputTokens };
    this.#current.set(cacheKey, made);
    this.#made.set(client, made);
    return client;
  }
}

function cacheKeyOf(role: ModelRole): string {
  return JSON.stringify([settingsOf(role), role.maxOutputTokens]);
}
