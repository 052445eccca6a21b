import { createHash } from 'node:crypto';
import { KEY_OF_ADDRESS } from '@bulkhead/models';

/**
 * The name under which the key for one address is stored, where that is not the provider's own. It belongs to the address: another
 * address has another name, so a stored key can't be led elsewhere by changing a base URL.
 *
 * @param address a valid `http` or `https` address
 */
export function ownKeyName(address: string): string {
  const { origin, host } = new URL(address);
  const readable = host.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_');
  // Two hosts may read the same; what tells them apart is the hash.
  const hash = createHash('sha256').update(origin).digest('hex').slice(0, 12).toUpperCase();
  return `${KEY_OF_ADDRESS}${readable.slice(0, 64)}_${hash}`;
}
