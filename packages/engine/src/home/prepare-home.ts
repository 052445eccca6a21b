import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
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
      layout.logs,
      layout.outputs,
      layout.run,
    ]) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    }
    refuseForeign(layout.root);
    chmodSync(layout.root, 0o700);
    chmodSync(layout.run, 0o700);
    for (const [name, text] of Object.entries(presetPolicies)) {
      const path = `${layout.policies}/${name}.yaml`;
      if (!existsSync(path)) writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
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

/** Whoever owns the folder can swap what lies in it. */
function refuseForeign(root: string): void {
  const owner = statSync(root).uid;
  const me = process.getuid?.() ?? owner;
  if (owner === me) return;
  throw new BulkheadError(
    'not_available',
    `the home ${root} belongs to another user (uid ${owner}, not ${me})`,
    {
      fix: 'Point BULKHEAD_HOME to a folder of your own.',
    },
  );
}
