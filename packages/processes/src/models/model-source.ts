import type { Config, ModelRole } from '@bulkhead/home/config/config-schema';
import { CONFIGURED, type ModelChoice } from '@bulkhead/log/session/accepted-input';
import { createModelClient, type KeySources, type ModelTimeLimits } from '@bulkhead/models';
import { BulkheadError, type ModelClient } from '@bulkhead/protocol';
import { chatRole, settingsOf } from './model-choice.ts';
import { type ProviderKey, providerKeys } from './provider-keys.ts';

/** What is done with a model besides the conversation itself. Each falls back to the chat model. */
export type SideRole = 'title' | 'compaction' | 'shield' | 'subagent';

/** A fallback that can't be used, and why. */
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
  /** Also of clients that were replaced and that a run still holds. */
  readonly #made = new WeakMap<ModelClient, MadeClient>();

  /** @param parts.local a model found on this machine, for when none is configured and no key is there */
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
   * @throws BulkheadError `missing_key`, `usage` or `config_invalid`: which key or name, and how to mend it
   */
  client(choice: ModelChoice): ModelClient {
    return this.#clientOf(this.#chat(choice));
  }

  /**
   * The model for `name`; without one of its own, that of the conversation it is done for.
   *
   * @throws BulkheadError as `client`
   */
  role(name: SideRole, choice: ModelChoice = CONFIGURED): ModelClient {
    const own = this.#models[name];
    return own === undefined ? this.client(choice) : this.#clientOf(own);
  }

  /** As they are configured now. */
  get models(): Config['models'] {
    return this.#models;
  }

  /** Another chat model answers from now on; a run goes on with the one it has. */
  setChat(chat: ModelRole | undefined): void {
    this.#models = { ...this.#models, chat };
  }

  /** The models to go on with when the chosen one fails, in order. Those that can't be used here are left out. */
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
   * Forgets a client whose key was refused, so that the next one is made from the secrets as they are now.
   *
   * @param refused as `client`, `role` or `fallbacks` gave it
   * @returns true if there is another key than the one it had: asking again makes sense
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

  /** The model of conversations for which none is chosen: configured, or found. */
  chatRole(): ModelRole {
    return this.#chat(CONFIGURED);
  }

  /** Where keys come from, by name. */
  providerKeys(): readonly ProviderKey[] {
    return providerKeys(this.#models, this.#keys);
  }

  /** Most tokens of one answer of this model, if its role says so. */
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
