import type { ModelSettings } from './model-settings.ts';
import { PROVIDER_TABLE } from './provider-table.ts';

/** The usual variable of every provider that takes a key. */
export const ALL_KEY_NAMES: readonly string[] = [
  ...new Set(Object.values(PROVIDER_TABLE).flatMap(({ key, keyName }) => (key === 'none' ? [] : [keyName]))),
];

/** Prefixes of key names that belong to one address: no other name replaces them. */
export const KEY_OF_ADDRESS = 'API_KEY_OF_';

/** The variable or secret that the key of a model comes from; undefined if none is sent. */
export function keyNameOf({
  provider,
  apiKeyEnv,
}: {
  readonly provider: ModelSettings['provider'];
  readonly apiKeyEnv?: string | undefined;
}): string | undefined {
  if (apiKeyEnv !== undefined) return apiKeyEnv;
  const entry = PROVIDER_TABLE[provider];
  return entry === undefined || entry.key === 'none' ? undefined : entry.keyName;
}
