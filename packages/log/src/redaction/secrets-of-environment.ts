import type { Config } from '@bulkhead/home/config/config-schema';
import { looksLikeSecret } from '@bulkhead/home/config/schema/secret-name';
import { KnownSecrets } from './known-secrets.ts';

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

/** The secrets an engine knows from its start: those of its environment and of its store. */
export function knownSecrets(
  settings: { readonly config: Pick<Config, 'models'>; readonly storedSecrets: () => readonly string[] },
  environment: Readonly<Record<string, string | undefined>>,
): KnownSecrets {
  const { fallback, ...roles } = settings.config.models;
  const keyNames = [...Object.values(roles), ...fallback].flatMap((role) => role?.apiKeyEnv ?? []);
  const secrets = new KnownSecrets(settings.storedSecrets);
  secrets.add(...secretsOfEnvironment(environment, keyNames));
  return secrets;
}
