import { monotonicFactory } from 'ulid';

/**
 * Makes unique identifiers: 26 characters, sortable by time. ULID, https://github.com/ulid/spec.
 */
export type IdSource = () => string;

/**
 * @param now milliseconds since the epoch
 * @param random a number in [0, 1); the default is the platform's cryptographic source
 */
export function createIdSource(now: () => number, random?: () => number): IdSource {
  const next = monotonicFactory(random);
  return () => next(now());
}
