import { BulkheadError } from '@bulkhead/protocol';

/** Far more than keys need, characters. */
export const MAX_SECRET_LENGTH = 64_000;

/**
 * @param given as typed; blanks around it are removed
 * @returns the value to store
 * @throws BulkheadError `usage` without repeating it
 */
export function checkedSecret(given: string): string {
  const value = given.trim();
  if (value === '') throw usage('nothing was given: no secret is stored');
  if (value.length > MAX_SECRET_LENGTH || /\p{Cc}/u.test(value)) {
    throw usage('a secret is one line of text, and this is something else: no secret is stored');
  }
  return value;
}

function usage(message: string): BulkheadError {
  return new BulkheadError('usage', message, { fix: 'Copy it once more, whole, without line breaks.' });
}
