import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { BulkheadError, type HomeLayout } from '@bulkhead/protocol';
import { presetPolicies } from '@bulkhead/shield';

/**
 * Makes the folders of a home, private to the user, and puts the preset policies there if they aren't.
 * What exists is left as it is: policies are the user's once written.
 *
 * @throws BulkheadError `not_available` if the home can't be made or isn't private
 */
export function prepareHome(layout: HomeLayout): void {
  try {
    for (const folder of [
      layout.root,
      layout.policies,
      layout.state,
      layout.chronicle,
      layout.logs,
      layout.outputs,
      layout.scratch,
      layout.run,
    ]) {
      // Before anything is made or written there, and parents first.
      if (folder !== layout.root || existsSync(folder))
        refuseForeign(folder === layout.root ? realpathSync(folder) : folder);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      chmodSync(folder, 0o700);
    }
    for (const [name, text] of Object.entries(presetPolicies)) {
      const path = `${layout.policies}/${name}.yaml`;
      refuseForeign(path);
      if (!existsSync(path)) putWhole(path, text);
    }
  } catch (cause) {
    if (BulkheadError.is(cause)) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new BulkheadError('not_available', `the home ${layout.root} can't be set up: ${reason}`, {
      fix: 'Point BULKHEAD_HOME to a folder you may write.',
      cause,
    });
  }
}

/** Puts a file there whole or not at all. Another engine that starts at the same time may have been first: then its is kept. */
function putWhole(path: string, text: string): void {
  const fresh = `${path}.${process.pid}.new`;
  writeFileSync(fresh, text, { mode: 0o600 });
  try {
    linkSync(fresh, path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(fresh, { force: true });
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
