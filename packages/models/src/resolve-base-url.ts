import { BulkheadError } from '@bulkhead/protocol';
import type { ModelSettings } from './model-settings.ts';
import type { ProviderEntry } from './provider-table.ts';

/**
 * The address of the provider's API without a trailing slash.
 * @throws BulkheadError `config_invalid` if it is missing or not an http address
 */
export function resolveBaseUrl(settings: ModelSettings, entry: ProviderEntry): string {
  const text = settings.baseUrl ?? entry.baseUrl;
  if (text === undefined || text === '') {
    throw new BulkheadError('config_invalid', `${settings.provider} needs a base URL`, {
      fix: 'Set models.chat.baseUrl or give --base-url, for example http://127.0.0.1:8080/v1.',
    });
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (
    url === undefined ||
    !['http:', 'https:'].includes(url.protocol) ||
    url.username !== '' ||
    url.password !== ''
  ) {
    throw new BulkheadError('config_invalid', `the base URL of ${settings.provider} is not usable`, {
      fix: 'Write it as http://host/path or https://host/path, without a user name or password; a port is at most 65535.',
    });
  }
  return text.replace(/\/+$/, '');
}
