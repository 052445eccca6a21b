import { BulkheadError } from '@bulkhead/protocol';

/**
 * Secrets have the names of environment variables. Upper case only, so that few keys are valid
 * names.
 */
export const SECRET_NAME = /^[A-Z_][A-Z0-9_]{0,127}$/;

const SECRET_WORD = /key|secret|token|passw(or)?d|passphrase|credential/i;

/** True if the value of a key with this name would probably be a secret. */
export function looksLikeSecret(key: string): boolean {
  return SECRET_WORD.test(key);
}

/** @throws BulkheadError `usage` without repeating `name`: it may be the secret itself */
export function checkSecretName(name: string): void {
  if (SECRET_NAME.test(name)) return;
  throw new BulkheadError('usage', 'a secret is named like an environment variable: A to Z, digits and _', {
    fix: 'For example: bulkhead config secret ANTHROPIC_API_KEY. The value is asked for, or read from standard input with `-`.',
  });
}
