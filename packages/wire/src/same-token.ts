import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * Compares in a time that reveals nothing about where the two differ. An empty token equals no
 * other.
 */
export function sameToken(given: string, expected: string): boolean {
  if (expected === '') return false;
  const digest = (value: string): Buffer => createHash('sha256').update(value).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
