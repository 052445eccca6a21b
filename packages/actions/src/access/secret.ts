import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A secret of 256 bits that can be written anywhere: letters, digits, `-` and `_`. @param prefix says what it is, for who finds one */
export function newSecret(prefix: string): string {
  return `${prefix}${randomBytes(32).toString('base64url')}`;
}

/** What is kept of a secret. It has 256 random bits, so one round is enough: there is nothing to guess. */
export function secretHash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** The one of `candidates` whose hash this is. Takes the same time wherever, and whether, it is among them. */
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
