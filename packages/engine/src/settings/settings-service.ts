import { type ConfigChange, changeConfig } from '@bulkhead/home/config/change-config';
import { findConfigKey } from '@bulkhead/home/config/config-keys';
import type { Config, ModelRole } from '@bulkhead/home/config/config-schema';
import { type EffectiveSetting, effectiveSettings } from '@bulkhead/home/config/effective-settings';
import { loadConfig } from '@bulkhead/home/config/load-config';
import { looksLikeSecret } from '@bulkhead/home/config/schema/secret-name';
import { BulkheadError, type HomeLayout } from '@bulkhead/protocol';
import { changeableKeys, isChangeable } from './changeable-keys.ts';

const CHAT_GROUP = 'models.chat.';
const CHAT = `${CHAT_GROUP}provider`;

/** The settings for clients: all are shown, and those that weaken no protection can be changed. */
export class SettingsService {
  readonly #layout: HomeLayout;
  readonly #onChange: (keys: readonly string[]) => Promise<void>;
  #running: Config;

  /**
   * @param parts.running the settings at the engine's start
   * @param parts.onChange receives the changed keys after a change
   */
  constructor(parts: {
    readonly layout: HomeLayout;
    readonly running: Config;
    readonly onChange: (keys: readonly string[]) => Promise<void>;
  }) {
    this.#layout = parts.layout;
    this.#running = parts.running;
    this.#onChange = parts.onChange;
  }

  get path(): string {
    return this.#layout.config;
  }

  /** The present content of the file. @throws BulkheadError `config_invalid` */
  file(): Config {
    return loadConfig(this.#layout.config);
  }

  /** The settings that the engine works with. */
  get running(): Config {
    return this.#running;
  }

  /** Sets the present chat model, which takes effect immediately. */
  chatIsNow(chat: ModelRole | undefined): void {
    this.#running = { ...this.#running, models: { ...this.#running.models, chat } };
  }

  /** @throws BulkheadError `config_invalid` if the file isn't valid now */
  settings(): readonly EffectiveSetting[] {
    const listed = effectiveSettings(this.path) ?? [];
    if (!listed.some(({ key }) => key === CHAT)) return listed;
    // Absent members of the chat model are not listed, but can be set here.
    const names = new Set(listed.map(({ key }) => key));
    const unsaid = changeableKeys().filter((key) => key.startsWith(CHAT_GROUP) && !names.has(key));
    const more = unsaid.flatMap((key) => effectiveSettings(this.path, key) ?? []);
    const place = listed.findLastIndex(({ key }) => key.startsWith(CHAT_GROUP)) + 1;
    return listed.toSpliced(place, 0, ...more);
  }

  /**
   * Keys whose value in the file differs from the running one. @throws BulkheadError
   * `config_invalid`
   */
  waiting(): readonly string[] {
    return differentKeys(this.#running, this.file());
  }

  /**
   * All changes or none, as `bulkhead config set`.
   *
   * @returns false if the file already had these values
   * @throws BulkheadError `blocked` for a key that is changed at a terminal only; as
   *   `changeConfig`
   */
  async change(changes: readonly ConfigChange[]): Promise<boolean> {
    if (changes.length === 0) throw new BulkheadError('usage', 'no change was given');
    const keys = changes.map(({ key }) => key);
    for (const key of keys) refuseOthers(key);
    const changed = changeConfig(this.#layout, changes);
    if (changed) await this.#onChange(keys);
    return changed;
  }
}

function refuseOthers(key: string): void {
  if (isChangeable(key)) return;
  if (findConfigKey(key) === undefined) {
    // A text that looks like a secret may be one.
    const named = looksLikeSecret(key) ? '' : ` "${key}"`;
    throw new BulkheadError('usage', `there is no setting${named}`, { fix: 'See docs/configuration.md.' });
  }
  throw new BulkheadError('blocked', `${key} is not changed from here`, {
    fix: `At a terminal: bulkhead config set ${key} VALUE`,
  });
}

/** Keys, dotted, in which two configurations differ; a list is one value. */
function differentKeys(left: Config, right: Config): readonly string[] {
  const before = leavesOf(left, '');
  const after = leavesOf(right, '');
  const keys = new Set([...before.keys(), ...after.keys()]);
  return [...keys].filter((key) => before.get(key) !== after.get(key));
}

function leavesOf(value: object, prefix: string): ReadonlyMap<string, string> {
  const leaves = Object.entries(value).flatMap(([name, member]: [string, unknown]): [string, string][] => {
    const isGroup = typeof member === 'object' && member !== null && !Array.isArray(member);
    if (isGroup) return [...leavesOf(member, `${prefix}${name}.`)];
    return member === undefined ? [] : [[`${prefix}${name}`, JSON.stringify(member)]];
  });
  return new Map(leaves);
}
