import { BulkheadError } from '@bulkhead/protocol';
import type { ProviderKey } from './provider-keys.ts';

/** Longest key, in characters. */
const MAX_KEY = 4_096;

/**
 * Only keys of providers get into the environment of an engine: any other variable could change the
 * behaviour of its programs.
 *
 * @throws BulkheadError `usage`, never with a value
 */
export function refuseBadKeys(keys: Readonly<Record<string, string>>, known: readonly ProviderKey[]): void {
  for (const [name, value] of Object.entries(keys)) {
    if (!known.some((key) => key.name === name)) {
      throw new BulkheadError(
        'usage',
        `${JSON.stringify(name)} is no variable that a provider's key is taken from`,
        {
          fix: `Give one of ${known.map((key) => key.name).join(', ')}.`,
        },
      );
    }
    if (value.length <= MAX_KEY && /^\P{Cc}+$/u.test(value)) continue;
    throw new BulkheadError('usage', `what ${name} holds is no key: it is too long, or no text of one line`, {
      fix: `Set ${name} again, or store the key with \`bulkhead config secret ${name}\`.`,
    });
  }
}
