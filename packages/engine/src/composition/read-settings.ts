import type { HomeLayout } from '@bulkhead/protocol';
import type { Policy } from '@bulkhead/shield';
import type { Config } from '../config/config-schema.ts';
import { loadConfig } from '../config/load-config.ts';
import { loadPolicy } from '../config/load-policy.ts';
import { loadSecrets, type SecretLookup } from '../config/load-secrets.ts';

/** What the user wrote, read once at start. */
export interface Settings {
  readonly config: Config;
  readonly policy: Policy;
  readonly secret: SecretLookup;
}

/** @throws BulkheadError `config_invalid` naming file, place and mistake */
export function readSettings(layout: HomeLayout): Settings {
  const config = loadConfig(layout.config);
  return { config, policy: loadPolicy(layout, config.policy), secret: loadSecrets(layout.secrets) };
}
