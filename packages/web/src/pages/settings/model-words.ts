import type { ProviderOffer, Setting } from '@bulkhead/protocol/client';

/** Facts about the chat model; empty if unknown. */
export function chatValue(settings: readonly Setting[], name: string): string {
  const value = settingValue(settings.find(({ key }) => key === `models.chat.${name}`));
  return typeof value === 'string' ? value : '';
}

/** Undefined if it has none. */
export function settingValue(setting: Setting | undefined): unknown {
  return setting === undefined || setting.valueJson === '' ? undefined : JSON.parse(setting.valueJson);
}

/**
 * Whether a key is needed, for a person about to type one. @param baseUrl empty for the provider's
 * own
 */
export function keyNote(provider: ProviderOffer | undefined, baseUrl: string): string {
  if (provider === undefined) return '';
  if (baseUrl !== '' && baseUrl !== provider.baseUrl)
    return 'Leave it empty to use the key stored for this address, if any.';
  if (provider.keySource === 'environment')
    return `Leave it empty to use ${provider.keyName} of the engine’s environment.`;
  if (provider.keySource === 'stored') return 'Leave it empty to use the stored key.';
  return provider.key === 'required' ? `It is stored as ${provider.keyName}.` : 'Usually it needs none.';
}
