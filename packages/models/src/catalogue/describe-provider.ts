import { BulkheadError } from '@bulkhead/protocol';
import type { KeySource } from '../errors/key-fix.ts';
import { keyNameOf } from '../key-names.ts';
import type { KeySources, ModelSettings } from '../model-settings.ts';
import { OFFLINE_PROVIDER } from '../provider-names.ts';
import { PROVIDER_TABLE } from '../provider-table.ts';
import { resolveBaseUrl } from '../resolve-base-url.ts';
import { resolveKey } from '../resolve-key.ts';

/** Whether a provider is ready for requests, as far as known without one. Contains no key. */
export interface ProviderDescription {
  readonly name: string;
  /** The source of its key; `not-needed`: none is sent. `missing`: one is needed. */
  readonly key: Exclude<KeySource, 'none'> | 'not-needed' | 'missing';
  /** Variable or secret that holds the key; empty if none is needed. */
  readonly keyName: string;
  /** Address of its API, without a trailing slash; empty if it has none or none is set. */
  readonly address: string;
  /** The reason why it can't be used. */
  readonly problem: BulkheadError | undefined;
}

/**
 * @param settings of a model of this provider
 * @throws BulkheadError `config_invalid` for an unknown provider
 */
export function describeProvider(
  settings: Pick<ModelSettings, 'provider' | 'baseUrl' | 'apiKeyEnv'>,
  keys: KeySources,
): ProviderDescription {
  const { provider: name } = settings;
  if (name === OFFLINE_PROVIDER)
    return { name, key: 'not-needed', keyName: '', address: '', problem: undefined };
  const entry = Object.hasOwn(PROVIDER_TABLE, name) ? PROVIDER_TABLE[name] : undefined;
  if (entry === undefined) throw new BulkheadError('config_invalid', `unknown provider "${name}"`);
  const named = { ...settings, model: '' };
  const key = resultOf(() => resolveKey(named, entry, keys).source);
  const address = resultOf(() => resolveBaseUrl(named, entry));
  return {
    name,
    key: 'problem' in key ? 'missing' : key.value === 'none' ? 'not-needed' : key.value,
    keyName: keyNameOf(settings) ?? '',
    address: 'problem' in address ? '' : address.value,
    problem: 'problem' in key ? key.problem : 'problem' in address ? address.problem : undefined,
  };
}

function resultOf<Value>(look: () => Value): { readonly value: Value } | { readonly problem: BulkheadError } {
  try {
    return { value: look() };
  } catch (error) {
    return { problem: BulkheadError.from(error) };
  }
}
