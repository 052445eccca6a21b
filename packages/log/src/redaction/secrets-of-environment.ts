import { looksLikeSecret } from '@bulkhead/home/config/schema/secret-name';

/** Shorter ones are switches and numbers, in characters. */
const LEAST = 8;

/**
 * The values of variables whose names say that they are secrets, and of those that hold a model's key.
 *
 * @param keyNames variables that the configuration names
 */
export function secretsOfEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  keyNames: readonly string[],
): readonly string[] {
  return Object.entries(environment).flatMap(([name, value = '']) => {
    if (keyNames.includes(name)) return [value];
    // A path says where a secret is.
    return looksLikeSecret(name) && value.length >= LEAST && !value.startsWith('/') ? [value] : [];
  });
}
