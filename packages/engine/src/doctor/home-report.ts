import { accessSync, constants, existsSync, lstatSync, realpathSync } from 'node:fs';
import { BulkheadError, type HomeLayout } from '@bulkhead/protocol';
import type { Finding } from './check.ts';

/**
 * Checks the folders of a home. Makes none: a start creates missing ones. @throws BulkheadError
 * `not_available`
 */
export function homeReport(layout: HomeLayout): Finding | string {
  if (lstatSync(layout.root, { throwIfNoEntry: false }) === undefined) {
    return {
      detail: `no home yet at ${layout.root}`,
      better:
        '`bulkhead init` makes one and sets up a model. If there was one, see whether its disk is mounted.',
    };
  }
  const root = realpathSync(layout.root);
  const { policies, profiles, state, chronicle, logs, outputs, scratch, fetched, run, audit } = layout;
  for (const folder of [
    root,
    policies,
    profiles,
    state,
    chronicle,
    logs,
    outputs,
    scratch,
    fetched,
    run,
    audit,
  ])
    refuseBad(folder);
  return `${layout.root} (mode ${(lstatSync(root).mode & 0o777).toString(8)})`;
}

/** No engine has completed this home: the first start creates its missing parts. */
export function isBeforeFirstStart({ policies, mark }: Pick<HomeLayout, 'policies' | 'mark'>): boolean {
  return !existsSync(policies) && !existsSync(mark);
}

function refuseBad(folder: string): void {
  const reason = whatIsWrong(folder);
  if (reason === undefined) return;
  throw new BulkheadError('not_available', `${folder} ${reason}`, {
    fix: 'Make it a folder of your own that you may write, or point BULKHEAD_HOME to another one.',
  });
}

function whatIsWrong(folder: string): string | undefined {
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  const me = process.getuid?.() ?? stat.uid;
  if (stat.isSymbolicLink()) return 'is a symbolic link';
  if (!stat.isDirectory()) return 'is a file, not a folder';
  if (stat.uid !== me) return `belongs to another user (uid ${stat.uid}, not ${me})`;
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    // The whole disk is missing: it has its own row.
    if (error instanceof Error && 'code' in error && error.code === 'EROFS') return undefined;
    return 'can not be written';
  }
}
