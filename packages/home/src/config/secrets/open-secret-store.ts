import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import type { HomeLayout } from '@bulkhead/protocol';
import type { Config } from '../config-schema.ts';
import type { ProcessVariables } from './keychain-tool.ts';
import { createMacosSecurity } from './macos-security.ts';
import { createSecretFile } from './secret-file.ts';
import type { SecretLookup, SecretStore } from './secret-store.ts';
import { createSecretTool } from './secret-tool.ts';

interface StoreChoice {
  readonly layout: HomeLayout;
  readonly store: Config['secrets']['store'];
  readonly environment: ProcessVariables;
  /** As `process.platform` says. */
  readonly platform: NodeJS.Platform;
}

/**
 * Looks secrets up in the store that `secrets.store` names, anew at each look-up.
 *
 * @throws BulkheadError `config_invalid`, here or later, if `secrets.json` exists but is not safe
 *   or valid. A keychain is not used before the first look-up.
 */
export function secretLookup(choice: StoreChoice): SecretLookup {
  const store = openSecretStore(choice);
  // Reports a bad file at the start, not with the first message.
  if (choice.store === 'file') store.names();
  return store.get;
}

/** The store that `secrets.store` names. No secret is read and no program started before the first look-up. */
export function openSecretStore(choice: StoreChoice): SecretStore {
  const { layout, environment } = choice;
  if (choice.store === 'file') return createSecretFile(layout);
  const service = serviceOf(layout.root);
  return choice.platform === 'darwin'
    ? createMacosSecurity(service, environment)
    : createSecretTool(service, environment);
}

/**
 * One name for a home, for every path to it. A path itself could contain syntax of a keychain's
 * tool.
 */
function serviceOf(root: string): string {
  const home = existsSync(root) ? realpathSync(root) : root;
  return `bulkhead-${createHash('sha256').update(home).digest('hex').slice(0, 16)}`;
}
