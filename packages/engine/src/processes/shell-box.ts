import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { HomeLayout } from '@bulkhead/protocol';
import type { ShellBox } from '@bulkhead/sandbox';
import { shellBoxNames } from '../pipeline/protection.ts';

/** Home of a boxed command: empty at every start, gone after it. */
export const BOX_HOME = '/home/bulkhead';

/**
 * The box of one shell command: the working folder to change, except what protection keeps from it.
 */
export function shellBox(workingFolder: string, layout: HomeLayout): ShellBox {
  const { hide, protect } = shellBoxNames(namesIn(workingFolder));
  const inside = (name: string): string => join(workingFolder, name);
  const home = layout.root.startsWith(`${workingFolder}/`) ? [layout.root] : [];
  const git = ['.git/hooks', '.git/config'].filter((name) => exists(workingFolder, name));
  return {
    kind: 'shell',
    workingFolder,
    home: BOX_HOME,
    readOnly: [],
    protect: [...protect, ...git].map(inside),
    hide: [...hide.map(inside), ...home],
    limits: { maxProcesses: 512, maxFileBytes: 4 * 1024 ** 3, maxOpenFiles: 1_024 },
  };
}

function namesIn(folder: string): string[] {
  return readdirSync(folder);
}

function exists(folder: string, name: string): boolean {
  const [parent, child] = name.split('/');
  try {
    return readdirSync(join(folder, parent ?? '')).includes(child ?? '');
  } catch {
    return false;
  }
}
