import type { Config } from '@bulkhead/home/config/config-schema';
import { ALL_KEY_NAMES, type KeySources, keyNameOf } from '@bulkhead/models';
import { settingsOf } from './model-choice.ts';
import { hasKey, missedSuggestions } from './suggested-model.ts';

/** A variable that can hold a provider's key. */
export interface ProviderKey {
  readonly name: string;
  /** A needed key is missing, both in the environment and in the store. */
  readonly missed: boolean;
}

/**
 * The variables this engine takes keys from: those of all providers, and those in the
 * configuration. Missed are keys of configured models and, without a configured chat model, those
 * that would choose one. If the store can't be read, none counts as missed.
 */
export function providerKeys(models: Config['models'], keys: KeySources): readonly ProviderKey[] {
  const { fallback, ...roles } = models;
  const configured = [...Object.values(roles), ...fallback].flatMap(
    (role) => (role === undefined ? undefined : keyNameOf(settingsOf(role))) ?? [],
  );
  const missed = new Set(missedOf(configured, models.chat === undefined, keys));
  const names = new Set([...configured, ...ALL_KEY_NAMES]);
  return [...names].map((name) => ({ name, missed: missed.has(name) }));
}

function missedOf(configured: readonly string[], isOpen: boolean, keys: KeySources): readonly string[] {
  try {
    const missing = configured.filter((name) => !hasKey(keys, name));
    return isOpen ? [...missing, ...missedSuggestions(keys)] : missing;
  } catch {
    return [];
  }
}
