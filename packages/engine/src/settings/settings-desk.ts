import { createModelClient, type KeySources } from '@bulkhead/models';
import { BulkheadError, type Clock, type HomeLayout } from '@bulkhead/protocol';
import { type ConfigChange, changeConfig } from '../config/change-config.ts';
import { findConfigKey } from '../config/config-keys.ts';
import type { Config } from '../config/config-schema.ts';
import { type EffectiveSetting, effectiveSettings } from '../config/effective-settings.ts';
import { loadConfig } from '../config/load-config.ts';
import { looksLikeSecret } from '../config/secrets/secret-name.ts';
import type { SecretStore } from '../config/secrets/secret-store.ts';
import { checkedSecret } from '../config/secrets/secret-value.ts';
import { settingsOf } from '../models/model-choice.ts';
import type { ModelSource } from '../models/model-source.ts';
import type { AuditSink } from '../pipeline/action-trail.ts';
import type { KnownSecrets } from '../redaction/known-secrets.ts';
import { changeableKeys, isChangeable } from './changeable-keys.ts';
import { differentKeys } from './different-keys.ts';
import { guardKey } from './guard-key.ts';
import { type ModelPlan, type ModelTrial, planModel } from './plan-model.ts';
import { roleChanges } from './role-changes.ts';
import { type TrialResult, tryModel } from './try-model.ts';

const CHAT_GROUP = 'models.chat.';
const CHAT = `${CHAT_GROUP}provider`;
/** Trials at once: each is a request that may wait for a while. */
const MAX_TRIALS = 4;

export type KeyPlace = 'given' | 'environment' | 'stored' | 'none';

export interface SettingsDeskParts {
  readonly layout: HomeLayout;
  /** What the engine was started with. */
  readonly running: Config;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The store this engine reads. */
  readonly store: SecretStore;
  readonly secrets: Pick<KnownSecrets, 'add' | 'redact'>;
  readonly models: Pick<ModelSource, 'setChat'>;
  readonly audit: AuditSink;
  readonly clock: Clock;
}

/**
 * The settings as clients of the engine see and change them. Keys go in and never come out; a key goes to the address it was given for,
 * and nowhere else.
 */
export class SettingsDesk {
  readonly #parts: SettingsDeskParts;
  /** What this engine works with: a chat model that is set up counts at once. */
  #running: Config;
  #trials = 0;

  constructor(parts: SettingsDeskParts) {
    this.#parts = parts;
    this.#running = parts.running;
  }

  /** @throws BulkheadError `config_invalid` if the file isn't valid now */
  settings(): readonly EffectiveSetting[] {
    const file = this.#parts.layout.config;
    const listed = effectiveSettings(file) ?? [];
    if (!listed.some(({ key }) => key === CHAT)) return listed;
    // What the chat model does not say is not listed, and can be set here.
    const names = new Set(listed.map(({ key }) => key));
    const unsaid = changeableKeys().filter((key) => key.startsWith(CHAT_GROUP) && !names.has(key));
    const more = unsaid.flatMap((key) => effectiveSettings(file, key) ?? []);
    const place = listed.findLastIndex(({ key }) => key.startsWith(CHAT_GROUP)) + 1;
    return listed.toSpliced(place, 0, ...more);
  }

  /** Keys of which the file says something else than this engine works with. */
  waiting(): readonly string[] {
    return differentKeys(this.#running, this.#file());
  }

  get file(): string {
    return this.#parts.layout.config;
  }

  get secretPlace(): string {
    return this.#parts.store.place;
  }

  /** Where a key is; a store that can't be asked has none to tell of. */
  keyPlace(name: string): KeyPlace {
    if ((this.#parts.environment[name] ?? '').trim() !== '') return 'environment';
    return (this.#stored(name) ?? '').trim() === '' ? 'none' : 'stored';
  }

  /**
   * All changes or none, as `bulkhead config set`.
   *
   * @returns false if the file said so already
   * @throws BulkheadError `blocked` for a key that is changed at the terminal only; as `changeConfig`
   */
  async change(changes: readonly ConfigChange[]): Promise<boolean> {
    if (changes.length === 0) throw new BulkheadError('usage', 'no change was given');
    for (const { key } of changes) refuseOthers(key);
    const changed = changeConfig(this.#parts.layout, changes);
    if (changed)
      await this.#note(
        changes.map(({ key }) => key),
        '',
      );
    return changed;
  }

  /** Sends one short request. @throws BulkheadError for a trial that can't be meant; `busy` */
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
   * Stores the key, if one was typed, and lets the model answer at once. If `config.yaml` can't be written, the key is not kept.
   *
   * @throws BulkheadError `blocked` if the key would go elsewhere too; as `planModel`, `changeConfig` and the store
   */
  async setUp(trial: ModelTrial): Promise<{ readonly changed: boolean; readonly keyName: string }> {
    const { layout, store, models } = this.#parts;
    const { plan, keys } = this.#plan(trial);
    refuseWithoutKey(plan, keys);
    const keyName = trial.key === '' ? undefined : this.#placeFor(plan);
    const changes = roleChanges(plan.role, this.#file().models.chat);
    const before = keyName === undefined ? undefined : store.get(keyName);
    if (keyName !== undefined) store.set(keyName, checkedSecret(trial.key));
    let changed: boolean;
    try {
      changed = changeConfig(layout, changes);
    } catch (error) {
      if (keyName !== undefined && before === undefined) store.remove(keyName);
      else if (keyName !== undefined && before !== undefined) store.set(keyName, before);
      throw error;
    }
    const { chat } = this.#file().models;
    this.#running = { ...this.#running, models: { ...this.#running.models, chat } };
    models.setChat(chat);
    await this.#note(changed ? ['models.chat'] : [], keyName ?? '');
    return { changed, keyName: keyName ?? '' };
  }

  #plan(trial: ModelTrial) {
    const { environment } = this.#parts;
    const key = trial.key === '' ? '' : checkedSecret(trial.key);
    // Before anything can speak of it.
    this.#parts.secrets.add(key);
    const plan = planModel(trial, this.#file().models.chat, (name) => this.keyPlace(name) !== 'none');
    const { keyName } = plan;
    if (key !== '' && keyName === undefined) {
      throw new BulkheadError('usage', `${plan.role.provider} takes no key`, { fix: 'Leave the key empty.' });
    }
    const keys: KeySources = {
      environment: key !== '' || keyName === undefined ? {} : { [keyName]: environment[keyName] },
      secret: (name) => {
        if (name !== keyName) return undefined;
        return key === '' ? this.#parts.store.get(name) : key;
      },
    };
    return { plan, keys, keyPlace: this.#placeOf(key, keyName) };
  }

  #placeOf(key: string, keyName: string | undefined): KeyPlace {
    if (keyName === undefined) return 'none';
    return key === '' ? this.keyPlace(keyName) : 'given';
  }

  /** Under which name a typed key is stored. */
  #placeFor({ keyName = '', origin = '' }: ModelPlan): string {
    if (this.keyPlace(keyName) === 'environment') {
      throw new BulkheadError(
        'blocked',
        `${keyName} is set in the environment of the engine, which comes first`,
        {
          fix: 'Leave the key empty to use that one, or stop the engine and start it without the variable.',
        },
      );
    }
    guardKey(keyName, origin, [this.#file().models, this.#running.models]);
    return keyName;
  }

  #stored(name: string): string | undefined {
    try {
      return this.#parts.store.get(name);
    } catch {
      return undefined;
    }
  }

  #file(): Config {
    return loadConfig(this.#parts.layout.config);
  }

  async #note(keys: readonly string[], secret: string): Promise<void> {
    const details = { keys, secret };
    await this.#parts.audit.append([
      { step: 'SETTINGS_CHANGED', action: '', hash: '', session: '', tool: '', details },
    ]);
  }
}

/** @throws BulkheadError `missing_key` for what could not answer once */
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

function refuseOthers(key: string): void {
  if (isChangeable(key)) return;
  if (findConfigKey(key) === undefined) {
    // What looks like a secret may be one.
    const named = looksLikeSecret(key) ? '' : ` "${key}"`;
    throw new BulkheadError('usage', `there is no setting${named}`, { fix: 'See docs/configuration.md.' });
  }
  throw new BulkheadError('blocked', `${key} is not changed from here`, {
    fix: `At a terminal: bulkhead config set ${key} VALUE`,
  });
}
