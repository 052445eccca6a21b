import { createHash } from 'node:crypto';
import { KEY_OF_ADDRESS } from '@bulkhead/models';

/**
 * The name under which the key for one address is stored, if it is not the provider's own. It
 * belongs to the address: another address has another name, so changing a base URL can't redirect a
 * stored key.
 *
 * @param address a valid `http` or `https` address
 */
export function ownKeyName(address: string): string {
  const { origin, host } = new URL(address);
  const readable = host.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_');
  // The readable parts of two hosts may be equal; the hash distinguishes them.
  const hash = createHash('sha256').update(origin).digest('hex').slice(0, 12).toUpperCase();
  return `${KEY_OF_ADDRESS}${readable.slice(0, 64)}_${hash}`;
}
