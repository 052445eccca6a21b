import { BulkheadError } from '@bulkhead/protocol';
import { type KeySource, keyFix } from './errors/key-fix.ts';
import { KEY_OF_ADDRESS } from './key-names.ts';
import type { KeySources, ModelSettings } from './model-settings.ts';
import type { ProviderEntry } from './provider-table.ts';

export interface ResolvedKey {
  /** Undefined if none is sent. */
  readonly value: string | undefined;
  readonly source: KeySource;
}

const NO_KEY: ResolvedKey = { value: undefined, source: 'none' };

/**
 * The key of a provider: the environment first, then stored secrets. If the settings give a name,
 * only that is read, so that no other provider's key is sent instead.
 * @throws BulkheadError `missing_key` if the provider or the settings require a key that is missing
 */
export function resolveKey(settings: ModelSettings, entry: ProviderEntry, keys: KeySources): ResolvedKey {
  if (entry.key === 'none' && settings.apiKeyEnv === undefined) return NO_KEY;
  const name = settings.apiKeyEnv ?? entry.keyName;
  const given = (keys.environment[name] ?? '').trim();
  if (given !== '') return { value: given, source: 'environment' };
  const stored = (keys.secret(name) ?? '').trim();
  if (stored !== '') return { value: stored, source: 'store' };
  // An address set up without a key gets its own key name, so that no later key is sent there.
  const isAskedFor = settings.apiKeyEnv !== undefined && !name.startsWith(KEY_OF_ADDRESS);
  if (entry.key === 'optional' && !isAskedFor) return NO_KEY;
  throw new BulkheadError('missing_key', `no key for ${settings.provider}: ${name} is not set`, {
    fix: keyFix(name, 'none'),
    details: { provider: settings.provider, variable: name },
  });
}
