import { listProfiles, loadConfig } from '@bulkhead/engine/offline/config';
import { BulkheadError } from '@bulkhead/protocol';
import { nearest } from '../arguments/nearest.ts';
import type { Environment } from '../environment.ts';
import { homeOf } from '../home.ts';

/**
 * @param name as given by `--profile`
 * @throws BulkheadError `usage` if another one is in use, or the name is unknown; `config_invalid`
 */
export function refuseOtherProfile(name: string, environment: Environment): void {
  const layout = homeOf(environment);
  const { profile } = loadConfig(layout.config);
  if (name === profile) return;
  const names = listProfiles(layout).map((one) => one.name);
  if (names.includes(name)) {
    throw new BulkheadError('usage', `the profile in use is "${profile}", not "${name}"`, {
      fix: `Change it for this home (bulkhead profile use ${name}), or keep another home for it (BULKHEAD_HOME).`,
    });
  }
  const near = nearest(name, names);
  throw new BulkheadError(
    'usage',
    `there is no profile "${name}"${near === undefined ? '' : ` (did you mean "${near}"?)`}`,
    { fix: 'See `bulkhead profile list`.' },
  );
}
