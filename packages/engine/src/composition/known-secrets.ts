import { KnownSecrets } from '@bulkhead/log/redaction/known-secrets';
import { secretsOfEnvironment } from '@bulkhead/log/redaction/secrets-of-environment';
import type { Settings } from '../ground/read-settings.ts';

/** The secrets an engine knows from its start: those of its environment and of its store. */
export function knownSecrets(
  { config, storedSecrets }: Settings,
  environment: Readonly<Record<string, string | undefined>>,
): KnownSecrets {
  const { fallback, ...roles } = config.models;
  const keyNames = [...Object.values(roles), ...fallback].flatMap((role) => role?.apiKeyEnv ?? []);
  const secrets = new KnownSecrets(storedSecrets);
  secrets.add(...secretsOfEnvironment(environment, keyNames));
  return secrets;
}
