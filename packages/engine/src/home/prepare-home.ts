import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { BulkheadError, type HomeLayout } from '@bulkhead/protocol';
import { presetPolicies } from '@bulkhead/shield/presets';
import { EMPTY_FLOW_POLICY, FLOW_POLICY_FILE } from '../flow/flow-policy-file.ts';
import { makeFolder } from './make-folder.ts';

/**
 * Makes the folders of a home, private to the user; the preset policies come with the folder they lie in. What exists is left
 * as it is: policies are the user's once written.
 *
 * @throws BulkheadError `not_available` if the home can't be made or isn't private
 */
export function prepareHome(layout: HomeLayout): void {
  try {
    for (const folder of [
      layout.root,
      layout.policies,
      layout.profiles,
      `${layout.profiles}/default`,
      layout.state,
      layout.chronicle,
      layout.logs,
      layout.outputs,
      layout.scratch,
      layout.fetched,
      layout.run,
    ]) {
      // Before anything is made or written there, and parents first.
      if (folder !== layout.root || existsSync(folder))
        refuseForeign(folder === layout.root ? realpathSync(folder) : folder);
      if (folder === layout.policies) putPolicies(folder);
      makeFolder(folder);
      chmodSync(folder, 0o700);
    }
    for (const name of Object.keys(presetPolicies)) refuseForeign(`${layout.policies}/${name}.yaml`);
    refuseForeign(`${layout.policies}/${FLOW_POLICY_FILE}`);
  } catch (cause) {
    if (BulkheadError.is(cause)) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new BulkheadError('not_available', `the home ${layout.root} can't be set up: ${reason}`, {
      fix: 'Point BULKHEAD_HOME to a folder you may write.',
      cause,
    });
  }
}

/**
 * Puts the folder of policies there whole or not at all, with the presets in it. Only where there is none: a policy that was
 * taken away must not come back as something else [FT24].
 */
function putPolicies(folder: string): void {
  if (existsSync(folder)) return;
  const fresh = mkdtempSync(`${folder}.new-`);
  try {
    for (const [name, text] of Object.entries(presetPolicies))
      writeFileSync(`${fresh}/${name}.yaml`, text, { mode: 0o600 });
    writeFileSync(`${fresh}/${FLOW_POLICY_FILE}`, EMPTY_FLOW_POLICY, { mode: 0o600 });
    renameSync(fresh, folder);
  } catch (error) {
    // Another engine that starts at the same time may have been first: then its is kept.
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** Whoever owns a folder can swap what lies in it; a link leads to where somebody else decides. */
function refuseForeign(path: string): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return;
  const me = process.getuid?.() ?? stat.uid;
  if (stat.uid === me && !stat.isSymbolicLink()) return;
  const reason = stat.isSymbolicLink()
    ? 'is a symbolic link'
    : `belongs to another user (uid ${stat.uid}, not ${me})`;
  throw new BulkheadError('not_available', `${path} ${reason}`, {
    fix: 'Point BULKHEAD_HOME to a folder of your own.',
  });
}
