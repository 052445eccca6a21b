import { randomUUID } from 'node:crypto';
import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { BulkheadError, type HomeLayout } from '@bulkhead/protocol';
import { type HomeFiles, systemHomeFiles } from './home-files.ts';
import { markText, readHomeId } from './home-mark.ts';
import { putPolicies, refillPolicies, removeLeftovers, SHIPPED_POLICIES } from './home-policies.ts';
import { makeFolder } from './make-folder.ts';

export interface HomePreparation {
  /** There was a home here a moment ago: a missing one is an error and not created again. */
  readonly mustExist?: boolean;
  readonly files?: HomeFiles;
  /** Makes the home's permanent id, independent of where its disk is mounted. */
  readonly newId?: () => string;
}

/**
 * Makes the folders of a home, private to the user, and its first policies. A mark, written last,
 * shows that all this is on disk. Without it each part is completed, whatever interrupted the
 * making before; with it existing parts are left unchanged and removed policies do not return: they
 * are the user's once written [FT24].
 *
 * @returns names of policies that a power cut had emptied before the home was complete: they have
 *   the shipped text again
 * @throws BulkheadError `not_available` if the home can't be made or isn't private;
 *   `config_invalid` naming missing policies
 */
export function prepareHome(layout: HomeLayout, options: HomePreparation = {}): readonly string[] {
  try {
    return makeHome(layout, options);
  } catch (cause) {
    if (BulkheadError.is(cause)) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new BulkheadError('not_available', `the home ${layout.root} can't be set up: ${reason}`, {
      fix: 'Point BULKHEAD_HOME to a folder you may write.',
      cause,
    });
  }
}

function makeHome(
  layout: HomeLayout,
  { mustExist = false, files = systemHomeFiles, newId = randomUUID }: HomePreparation,
): readonly string[] {
  const complete = isComplete(layout);
  if (!complete && mustExist) throw homeIsGone(layout.root);
  if (complete && !existsSync(layout.policies)) throw policiesAreGone(layout.policies);
  makeFolder(layout.root, files);
  for (const folder of foldersOf(layout)) {
    // Before anything is written there, and parents first.
    refuseForeign(folder === layout.root ? realpathSync(folder) : folder);
    if (folder === layout.policies && !existsSync(folder)) putPolicies(folder, files);
    else makeFolder(folder, files);
    // Only if needed: the disk may be unwritable now.
    if ((statSync(folder).mode & 0o777) !== 0o700) files.makePrivate(folder);
  }
  for (const name of Object.keys(SHIPPED_POLICIES)) refuseForeign(`${layout.policies}/${name}`);
  const refilled = complete ? [] : finish(layout, files);
  // An earlier version gave it no id.
  if (readHomeId(layout) === undefined) putMark(layout, newId(), files);
  return refilled;
}

function isComplete({ mark }: HomeLayout): boolean {
  return (lstatSync(mark, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** Once every part exists: all that the mark confirms must reach the disk before the mark. */
function finish(layout: HomeLayout, files: HomeFiles): readonly string[] {
  const refilled = refillPolicies(layout.policies, files);
  removeLeftovers(layout.policies, files);
  for (const folder of [layout.profiles, layout.state, layout.root, dirname(layout.root)])
    files.flush(folder);
  return refilled;
}

function putMark(layout: HomeLayout, id: string, files: HomeFiles): void {
  const fresh = `${layout.mark}.new-${process.pid}`;
  files.remove(fresh);
  files.write(fresh, markText(id));
  files.flush(fresh);
  files.rename(fresh, layout.mark);
  files.flush(layout.state);
}

function foldersOf(layout: HomeLayout): readonly string[] {
  return [
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
  ];
}

/** The owner of a folder can replace its content; the target of a link may have another owner. */
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

function homeIsGone(root: string): BulkheadError {
  return new BulkheadError('not_available', `the home ${root} is gone: it was there before this restart`, {
    fix: 'Mount its disk or put the folder back, then run `bulkhead start`. To make a new home, start it again yourself.',
    details: { home: root },
  });
}

function policiesAreGone(folder: string): BulkheadError {
  return new BulkheadError('config_invalid', `the folder of policies ${folder} is gone`, {
    fix: `Restore it from a backup, or put a shipped policy there: \`mkdir -m 700 ${folder} && bulkhead policy show default --preset > ${folder}/default.yaml\`.`,
    details: { path: folder },
  });
}
