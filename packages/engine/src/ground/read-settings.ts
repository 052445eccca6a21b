import { type PolicyInForce, readPolicy } from '@bulkhead/actions/policy/read-policy';
import type { Config } from '@bulkhead/home/config/config-schema';
import { loadConfig } from '@bulkhead/home/config/load-config';
import { openSecretStore, secretLookup } from '@bulkhead/home/config/secrets/open-secret-store';
import type { SecretLookup, SecretStore } from '@bulkhead/home/config/secrets/secret-store';
import { openProfile } from '@bulkhead/mind/profile/open-profile';
import type { ProfilePlaces } from '@bulkhead/mind/profile/profile-places';
import type { HomeLayout } from '@bulkhead/protocol';

/** The user's configuration, read once at start; the policy is read again when it changes. */
export interface Settings {
  readonly config: Config;
  readonly policy: PolicyInForce;
  readonly profile: ProfilePlaces;
  /** The store of keys. */
  readonly store: SecretStore;
  readonly secret: SecretLookup;
  /**
   * Every secret of the file. A keychain is not read for this: its entries become known when they
   * are used.
   */
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
  const policy = readPolicy(layout, config.policy);
  const profile = openProfile(layout, config.profile);
  return { config, policy, profile, store: opened, secret, storedSecrets };
}
