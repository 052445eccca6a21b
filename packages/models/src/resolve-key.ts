import { BulkheadError } from '@bulkhead/protocol';
import type { KeySources, ModelSettings } from './model-settings.ts';
import type { ProviderEntry } from './provider-table.ts';

/**
 * The key of a provider: the environment first, then stored secrets. A name the settings give counts
 * alone, so that no other provider's key is sent in its place.
 * @throws BulkheadError `missing_key` if the provider or the settings ask for a key that isn't there
 */
export function resolveKey(
  settings: ModelSettings,
  entry: ProviderEntry,
  keys: KeySources,
): string | undefined {
  if (entry.key === 'none' && settings.apiKeyEnv === undefined) return undefined;
  const name = settings.apiKeyEnv ?? entry.keyName;
  const key = (keys.environment[name] ?? '').trim() || (keys.secret(name) ?? '').trim();
  if (key !== '') return key;
  if (entry.key === 'optional' && settings.apiKeyEnv === undefined) return undefined;
  throw new BulkheadError('missing_key', `no key for ${settings.provider}: ${name} is not set`, {
    fix: `Set ${name} in the environment or put it into secrets.json in the home, then run \`bulkhead restart\`.`,
    details: { provider: settings.provider, variable: name },
  });
}
