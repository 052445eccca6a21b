import type { HomeLayout } from '@bulkhead/protocol';
import type { Config } from '../config/config-schema.ts';
import { loadConfig } from '../config/load-config.ts';
import { type PolicyInForce, readPolicy } from '../config/policy/read-policy.ts';
import { openSecretStore, secretLookup } from '../config/secrets/open-secret-store.ts';
import type { SecretLookup, SecretStore } from '../config/secrets/secret-store.ts';

/** What the user wrote, read once at start; the policy is read again when it changes. */
export interface Settings {
  readonly config: Config;
  readonly policy: PolicyInForce;
  /** Where keys are kept. */
  readonly store: SecretStore;
  readonly secret: SecretLookup;
  /** Every secret of the file. A keychain is not read for this: what is looked up there is known then. */
  readonly storedSecrets: () => readonly string[];
}

/** @throws BulkheadError `config_invalid` naming file, place and mistake */
export function readSettings(
  layout: HomeLayout,
  environment: Readonly<Record<string, string | undefined>>,
): Settings {
  const config = loadConfig(layout.config);
  const { store } = config.secrets;
  const choice = { layout, store, environment, platform: process.platform };
  const secret = secretLookup(choice);
  const opened = openSecretStore(choice);
  const storedSecrets = () =>
    store === 'file' ? opened.names().flatMap((name) => opened.get(name) ?? []) : [];
  return { config, policy: readPolicy(layout, config.policy), store: opened, secret, storedSecrets };
}
