import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * A secret of 256 bits that needs no escaping: letters, digits, `-` and `_`. @param prefix shows
 * the kind of secret to people who find it
 */
export function newSecret(prefix: string): string {
  return `${prefix}${randomBytes(32).toString('base64url')}`;
}

/**
 * The stored form of a secret. One round of SHA-256 is enough, because 256 random bits cannot be
 * guessed.
 */
export function secretHash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/**
 * Finds the candidate with the hash of this secret. Takes the same time whether and where it
 * matches.
 */
export function findByHash<Candidate extends { readonly hash: Uint8Array }>(
  candidates: Iterable<Candidate>,
  hash: Uint8Array,
): Candidate | undefined {
  let found: Candidate | undefined;
  for (const candidate of candidates) {
    if (timingSafeEqual(candidate.hash, hash)) found = candidate;
  }
  return found;
}
