import { findConfigKey, listConfigKeys, looksLikeSecret } from '@bulkhead/engine/offline/config';
import { BulkheadError } from '@bulkhead/protocol';
import { nearest } from '../arguments/nearest.ts';

/** @throws BulkheadError `usage` for an unknown key, with the most similar one */
export function checkKey(key: string): void {
  if (findConfigKey(key) !== undefined) return;
  const last = key.split('.').at(-1) ?? key;
  if (looksLikeSecret(last)) {
    throw new BulkheadError('usage', `"${key}" looks like a secret, and config.yaml never holds secrets`, {
      fix: 'Store it with `bulkhead config secret NAME`, for example ANTHROPIC_API_KEY.',
    });
  }
  const known = listConfigKeys().map((one) => one.key);
  const endings = known.filter((one) => one.endsWith(`.${last}`));
  const near = nearest(key, known) ?? (endings.length === 1 ? endings[0] : undefined);
  const hint = near === undefined ? '' : ` (did you mean ${near}?)`;
  throw new BulkheadError('usage', `unknown key "${key}"${hint}`, {
    fix: 'See `bulkhead config get` and docs/configuration.md.',
  });
}
