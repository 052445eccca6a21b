import { OFFLINE_PROVIDER } from './provider-names.ts';
import { PROVIDER_TABLE, type ProviderEntry } from './provider-table.ts';

/** Facts about a provider for a person who sets up a model. */
export type ProviderFacts = Pick<ProviderEntry, 'keyName' | 'key' | 'baseUrl'>;

/** The offline model has no server, and no key. */
const OFFLINE: ProviderFacts = { keyName: '', key: 'none', baseUrl: undefined };

/** @returns undefined for an unknown provider */
export function providerFacts(name: string): ProviderFacts | undefined {
  if (name === OFFLINE_PROVIDER) return OFFLINE;
  return Object.hasOwn(PROVIDER_TABLE, name) ? PROVIDER_TABLE[name] : undefined;
}
