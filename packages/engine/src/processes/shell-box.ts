import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { BulkheadError, type HomeLayout } from '@bulkhead/protocol';
import type { ShellBox } from '@bulkhead/sandbox';
import { shellBoxNames } from '../pipeline/protection.ts';

/** Home of a boxed command: empty at every start, gone after it. */
export const BOX_HOME = '/home/bulkhead';

/**
 * The box of one shell command: the working folder to change, except what protection keeps from it. All of `.git` is
 * read-only, also where it is a worktree's file: hooks, configuration and `commondir` make git run what they say.
 *
 * @throws BulkheadError `blocked` if something protected is a symbolic link: read-only at its name, it could
 *   still be changed at the place it leads to
 */
export function shellBox(workingFolder: string, layout: HomeLayout): ShellBox {
  const entries = readdirSync(workingFolder, { withFileTypes: true });
  const { hide, protect } = shellBoxNames(entries.map(({ name }) => name));
  const own = layout.root.startsWith(`${workingFolder}/`) ? [layout.root] : [];
  for (const entry of entries) if (protect.includes(entry.name)) refuseLink(workingFolder, entry);
  return {
    kind: 'shell',
    workingFolder,
    home: BOX_HOME,
    readOnly: [],
    protect: protect.map((name) => join(workingFolder, name)),
    hide: [...hide.map((name) => join(workingFolder, name)), ...own],
    limits: { maxProcesses: 512, maxFileBytes: 4 * 1024 ** 3, maxOpenFiles: 1_024 },
  };
}

function refuseLink(folder: string, entry: Dirent): void {
  if (!entry.isSymbolicLink()) return;
  throw new BulkheadError(
    'blocked',
    `${join(folder, entry.name)} is a symbolic link and can't be protected from commands`,
    {
      fix: 'Work in the folder it leads to, or replace the link.',
    },
  );
}
