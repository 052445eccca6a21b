import { changeConfig } from '@bulkhead/home/config/change-config';
import type { Config, ModelRole } from '@bulkhead/home/config/config-schema';
import type { SecretStore } from '@bulkhead/home/config/secrets/secret-store';
import { checkedSecret } from '@bulkhead/home/config/secrets/secret-value';
import type { KnownSecrets } from '@bulkhead/log/redaction/known-secrets';
import { createModelClient, type KeySources, keyNameOf } from '@bulkhead/models';
import { settingsOf } from '@bulkhead/processes/models/model-choice';
import type { ModelSource } from '@bulkhead/processes/models/model-source';
import { BulkheadError, type Clock, type HomeLayout } from '@bulkhead/protocol';
import { type ModelPlan, type ModelTrial, originOf, planModel } from './plan-model.ts';
import { roleChanges } from './role-changes.ts';
import type { SettingsService } from './settings-service.ts';
import { type TrialResult, tryModel } from './try-model.ts';

/** Trials at once: each is a request that may take a while. */
const MAX_TRIALS = 4;

export type KeyPlace = 'given' | 'environment' | 'stored' | 'none';

export interface ModelSetUpParts {
  readonly layout: HomeLayout;
  readonly settings: Pick<SettingsService, 'file' | 'running' | 'chatIsNow'>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The store this engine reads. */
  readonly store: SecretStore;
  readonly secrets: Pick<KnownSecrets, 'add'>;
  readonly models: Pick<ModelSource, 'setChat'>;
  readonly clock: Clock;
  /**
   * Receives the changed keys after a change. @param keyName of a stored key; empty if none was
   * stored
   */
  readonly onChange: (keys: readonly string[], keyName: string) => Promise<void>;
}

/**
 * Sets the chat model up. Keys go in and never come out; a key goes to the address it was given
 * for, and nowhere else.
 */
export class ModelSetUp {
  readonly #parts: ModelSetUpParts;
  #trials = 0;

  constructor(parts: ModelSetUpParts) {
    this.#parts = parts;
  }

  /** The place of stored keys, for users. */
  get secretPlace(): string {
    return this.#parts.store.place;
  }

  /**
   * The stored keys among these, and their places: one read of the store for all. A store that
   * can't be read has none to report.
   */
  keyPlaces(names: readonly string[]): ReadonlyMap<string, KeyPlace> {
    const stored = new Set(this.#storedNames());
    const place = (name: string): KeyPlace => {
      if (this.#isInEnvironment(name)) return 'environment';
      return stored.has(name) ? 'stored' : 'none';
    };
    return new Map(names.map((name) => [name, place(name)]));
  }

  /** Sends one short request. @throws BulkheadError for an invalid trial; `busy` */
  async test(
    trial: ModelTrial,
    signal: AbortSignal,
  ): Promise<TrialResult & { readonly plan: ModelPlan; readonly keyPlace: KeyPlace }> {
    const { plan, keyPlace, keys } = this.#plan(trial);
    if (this.#trials >= MAX_TRIALS) {
      throw new BulkheadError('busy', 'other connections are being tested', {
        fix: 'Try again in a moment.',
      });
    }
    this.#trials += 1;
    try {
      return { ...(await tryModel(plan.role, keys, this.#parts.clock, signal)), plan, keyPlace };
    } finally {
      this.#trials -= 1;
    }
  }

  /**
   * Stores the key, if one was typed, and uses the model immediately. If `config.yaml` can't be
   * written, the key is not kept.
   *
   * @throws BulkheadError `blocked` if the key would go elsewhere too, or would have no effect;
   *   `missing_key`; as `planModel`, `changeConfig` and the store
   */
  async setUp(trial: ModelTrial): Promise<{ readonly changed: boolean; readonly keyName: string }> {
    const { layout, settings, models, onChange } = this.#parts;
    const { plan, keys } = this.#plan(trial);
    refuseWithoutKey(plan, keys);
    const keyName = trial.key === '' ? '' : this.#nameFor(plan);
    const changes = roleChanges(plan.role, settings.file().models.chat);
    // No other code of the engine runs until both are done, or neither.
    const takeBack = keyName === '' ? () => {} : this.#store(keyName, checkedSecret(trial.key));
    let changed: boolean;
    try {
      changed = changeConfig(layout, changes);
    } catch (error) {
      takeBack();
      throw error;
    }
    const { chat } = settings.file().models;
    settings.chatIsNow(chat);
    models.setChat(chat);
    await onChange(changed ? ['models.chat'] : [], keyName);
    return { changed, keyName };
  }

  #plan(trial: ModelTrial) {
    const { environment, store, settings } = this.#parts;
    const key = trial.key === '' ? '' : checkedSecret(trial.key);
    const plan = planModel(trial, settings.file().models.chat, (name) => this.#keyPlace(name) !== 'none');
    const { keyName } = plan;
    if (key !== '' && keyName === undefined) {
      throw new BulkheadError('usage', `${plan.role.provider} takes no key`, { fix: 'Leave the key empty.' });
    }
    const keys: KeySources = {
      environment: key !== '' || keyName === undefined ? {} : { [keyName]: environment[keyName] },
      secret: (name) => {
        if (name !== keyName) return undefined;
        return key === '' ? store.get(name) : key;
      },
    };
    const keyPlace: KeyPlace =
      keyName === undefined ? 'none' : key === '' ? this.#keyPlace(keyName) : 'given';
    return { plan, keys, keyPlace };
  }

  /** The name under which a typed key is stored. */
  #nameFor({ keyName = '', origin = '' }: ModelPlan): string {
    const { settings } = this.#parts;
    if (this.#isInEnvironment(keyName)) {
      throw new BulkheadError(
        'blocked',
        `${keyName} is set in the environment of the engine, which comes first`,
        {
          fix: 'Leave the key empty to use that one, or stop the engine and start it without the variable.',
        },
      );
    }
    guardKey(keyName, origin, [settings.file().models, settings.running.models]);
    return keyName;
  }

  /** @returns restores the earlier value */
  #store(keyName: string, key: string): () => void {
    const { store, secrets } = this.#parts;
    // Before any output can contain it.
    secrets.add(key);
    const before = store.get(keyName);
    store.set(keyName, key);
    return () => {
      if (before === undefined) store.remove(keyName);
      else store.set(keyName, before);
    };
  }

  #keyPlace(name: string): KeyPlace {
    if (this.#isInEnvironment(name)) return 'environment';
    return (this.#parts.store.get(name) ?? '').trim() === '' ? 'none' : 'stored';
  }

  #isInEnvironment(name: string): boolean {
    return (this.#parts.environment[name] ?? '').trim() !== '';
  }

  #storedNames(): readonly string[] {
    try {
      return this.#parts.store.names();
    } catch {
      return [];
    }
  }
}

/**
 * Refuses to store a key that would also be sent to a model of another address. The chat model is
 * the one that is being set up.
 *
 * @param models those of the file, and those this engine works with
 * @param origin for which the key was typed
 * @throws BulkheadError `blocked`, naming the other address and its model
 */
function guardKey(keyName: string, origin: string, models: readonly Config['models'][]): void {
  for (const [name, role] of models.flatMap(rolesOf)) {
    const elsewhere = originOf(role);
    if (elsewhere === undefined || elsewhere === origin || keyNameOf(role) !== keyName) continue;
    throw new BulkheadError(
      'blocked',
      `${keyName} is also sent to ${new URL(elsewhere).host}, by models.${name} (${role.provider}/${role.model})`,
      {
        fix: `Give one of the two an apiKeyEnv of its own: bulkhead config set models.${name}.apiKeyEnv NAME`,
      },
    );
  }
}

function rolesOf({
  fallback,
  chat: _replaced,
  ...roles
}: Config['models']): readonly (readonly [string, ModelRole])[] {
  const named = Object.entries(roles).flatMap(([name, role]) =>
    role === undefined ? [] : [[name, role] as const],
  );
  return [...named, ...fallback.map((role, place) => [`fallback.${place}`, role] as const)];
}

/**
 * @throws BulkheadError `missing_key` for a model that could never answer; `config_invalid` if no
 *   client can be made of it
 */
function refuseWithoutKey({ role, keyName = '' }: ModelPlan, keys: KeySources): void {
  try {
    createModelClient(settingsOf(role), keys);
  } catch (cause) {
    if (!BulkheadError.is(cause) || cause.code !== 'missing_key') throw cause;
    throw new BulkheadError('missing_key', cause.message, {
      fix: `Give the key with the model, or store it at a terminal: bulkhead config secret ${keyName}`,
      cause,
    });
  }
}
