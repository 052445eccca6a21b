import { BulkheadError } from '@bulkhead/protocol';

/** The profile of a home that names none. */
export const DEFAULT_PROFILE = 'default';

/** A folder name that is valid everywhere and not hidden. */
export const PROFILE_NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** @throws BulkheadError `usage` */
export function checkProfileName(name: string): void {
  if (PROFILE_NAME.test(name)) return;
  throw new BulkheadError('usage', `${JSON.stringify(name)} is no name for a profile`, {
    fix: 'Take a to z, digits, - and _, at most 64, beginning with a letter or digit.',
  });
}
