import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { shownName } from '@bulkhead/files';
import { BulkheadError, type HomeLayout } from '@bulkhead/protocol';
import type { ShellBox, ShellLimits } from '@bulkhead/sandbox';
import { shellBoxNames } from '../pipeline/protection.ts';

const LIMITS: ShellLimits = {
  maxProcesses: 512,
  maxFileBytes: 4 * 1024 ** 3,
  maxOpenFiles: 1_024,
  // One process may use every second of the longest time limit, and no more.
  maxCpuSeconds: 1_200,
  maxDataBytes: 8 * 1024 ** 3,
  minFreeBytes: 256 * 1024 ** 2,
};

/** Home of a boxed command: empty at every start, gone after it. */
export const BOX_HOME = '/home/bulkhead';

/**
 * The box of one shell command: the working folder as an overlay, without what may hold credentials. What git obeys can be
 * written there; whether that is kept is decided when the command has ended.
 *
 * @throws BulkheadError `blocked` if something protected is a symbolic link: what is changed behind it has another name,
 *   and would be judged by that; or if it can't be hidden because its name is no text
 */
export function shellBox(workingFolder: string, layout: HomeLayout): ShellBox {
  const entries = namedEntries(workingFolder);
  const { hide, protect } = shellBoxNames(entries.map(({ name }) => name));
  const own = layout.root.startsWith(`${workingFolder}/`) ? [layout.root] : [];
  for (const entry of entries) if (protect.includes(entry.name)) refuseLink(workingFolder, entry);
  return {
    kind: 'shell',
    workingFolder,
    home: BOX_HOME,
    readOnly: [],
    protect: [],
    hide: [...hide.map((name) => join(workingFolder, name)), ...own],
    limits: LIMITS,
  };
}

/** The same for a command that writes the folder itself: what is obeyed later is read-only, all of `.git` too. */
export function liveShellBox(workingFolder: string, layout: HomeLayout): ShellBox {
  const names = namedEntries(workingFolder).map(({ name }) => name);
  const { protect } = shellBoxNames(names);
  return { ...shellBox(workingFolder, layout), protect: protect.map((name) => join(workingFolder, name)) };
}

/** A live command that goes on: the processor time of a server is not that of a command. */
export function backgroundShellBox(workingFolder: string, layout: HomeLayout): ShellBox {
  const box = liveShellBox(workingFolder, layout);
  const { maxCpuSeconds: _, ...limits } = box.limits;
  return { ...box, limits };
}

interface NamedEntry {
  readonly name: string;
  readonly isLink: boolean;
}

/**
 * Names that are no text can't be given to the launcher: one that is to be hidden, by any reading of its bytes, refuses
 * the box; the others are left out.
 */
function namedEntries(folder: string): readonly NamedEntry[] {
  return readdirSync(folder, { withFileTypes: true, encoding: 'buffer' }).flatMap((entry) => {
    const name = entry.name.toString('utf8');
    if (Buffer.from(name).equals(entry.name)) return [{ name, isLink: entry.isSymbolicLink() }];
    const readings = shellBoxNames([name, name.replaceAll('\u{FFFD}', ''), entry.name.toString('latin1')]);
    if (readings.hide.length > 0 || readings.protect.length > 0) throw unhideable(folder, entry.name);
    return [];
  });
}

function unhideable(folder: string, name: Buffer): BulkheadError {
  return new BulkheadError(
    'blocked',
    `${join(folder, shownName(name))} is protected, and can't be hidden from commands: its name is no UTF-8`,
    { fix: 'Rename it, or work in another folder.' },
  );
}

function refuseLink(folder: string, entry: NamedEntry): void {
  if (!entry.isLink) return;
  throw new BulkheadError(
    'blocked',
    `${join(folder, entry.name)} is a symbolic link and can't be protected from commands`,
    {
      fix: 'Work in the folder it leads to, or replace the link.',
    },
  );
}
