import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { shownName } from '@bulkhead/files';
import { BulkheadError, folderRefusal, type HomeLayout } from '@bulkhead/protocol';
import type { Neighbour, ShellBox, ShellLimits } from '@bulkhead/sandbox';
import { BOX_HOME } from '../transactions/command-view.ts';
import { type Beside, guardBeside } from './guarded-beside.ts';
import { type GuardedNeighbour, guardNeighbour } from './guarded-neighbour.ts';
import { guardedPlaces, isProtectedByAnyReading } from './guarded-places.ts';
import { linkedPlaces } from './linked-places.ts';
import type { ProtectedFiles } from './protected-files.ts';

const LIMITS: ShellLimits = {
  maxProcesses: 512,
  maxFileBytes: 4 * 1024 ** 3,
  maxOpenFiles: 1_024,
  // One process may use the longest time limit in full, and no more.
  maxCpuSeconds: 1_200,
  maxDataBytes: 8 * 1024 ** 3,
  minFreeBytes: 256 * 1024 ** 2,
};

/** The other names of protected files. */
export type ProtectedNames = Pick<ProtectedFiles, 'linked' | 'shownIn'> &
  Partial<Pick<ProtectedFiles, 'guarded' | 'mountedIn'>>;

const UNSEEN_LINKS =
  'a file that may hold credentials has other names, and a part of the folder could not be looked through for them';

/** Places that a box shows besides. */
interface ShownPlaces {
  /** A folder around the working folder that is shown read-only, if that can be guarded. */
  readonly root?: Neighbour | undefined;
  /** Other folders that are, none in another. */
  readonly beside?: readonly Beside[];
  /** Files of the working folder that would be hidden otherwise. */
  readonly filled?: ShellBox['filled'];
}

/** A box, with remarks on it. */
export interface PreparedBox {
  readonly box: ShellBox;
  /** For model and user, a clause each: where the box isolates less than it should. */
  readonly remarks: readonly string[];
  /**
   * Files that programs run or obey later, as they were before the command: components below the
   * folder.
   */
  readonly obeyed: readonly (readonly string[])[];
  /** The folder outside the working folder that was asked for, as it is shown. */
  readonly around?: GuardedNeighbour;
}

/**
 * The box of one shell command: the working folder as an overlay, without places that may hold
 * credentials. Files that git obeys can be written there; the decision to keep them follows when
 * the command has ended.
 *
 * @throws BulkheadError `blocked` if a protected name at the top is a symbolic link, since
 *   changes behind it have another name and would be checked by that; or if it can't be hidden
 *   because its name is not UTF-8
 */
export async function shellBox(
  workingFolder: string,
  layout: HomeLayout,
  files: ProtectedNames,
  shown: ShownPlaces = {},
): Promise<PreparedBox> {
  const { box, guarded, around } = await guardedBox(workingFolder, layout, files, shown);
  return { box, remarks: guarded.hidingRemarks, obeyed: guarded.obeyed, ...around };
}

/**
 * The same for a command that writes the folder directly: existing files that programs run or obey
 * later are read-only, all of `.git` too.
 */
export async function liveShellBox(
  workingFolder: string,
  layout: HomeLayout,
  files: ProtectedNames,
  shown: ShownPlaces = {},
): Promise<PreparedBox> {
  const { box, guarded, own, around } = await guardedBox(workingFolder, layout, files, shown);
  // Hidden places can't be moved by moving their folder.
  const protect = [...guarded.keep, ...own].map((names) => join(workingFolder, ...names));
  const remarks = [...guarded.hidingRemarks, ...guarded.keepingRemarks];
  return { box: { ...box, protect }, remarks, obeyed: guarded.obeyed, ...around };
}

async function guardedBox(
  workingFolder: string,
  layout: HomeLayout,
  files: ProtectedNames,
  { root, beside = [], filled }: ShownPlaces,
) {
  refuseOddNames(workingFolder);
  // Bulkhead's own home, if it lies inside.
  const own = layout.root.startsWith(`${workingFolder}/`)
    ? [layout.root.slice(workingFolder.length + 1).split('/')]
    : [];
  const apart = new Set([...own.map((names) => join(workingFolder, ...names)), ...(filled?.paths ?? [])]);
  const places = await guardedPlaces(
    workingFolder,
    (names) => apart.has(join(workingFolder, ...names)),
    files.guarded === undefined ? {} : { folders: files.guarded },
  );
  const links = await linkedPlaces(workingFolder, await files.linked(), places.hide);
  const remarks = links.whole ? [] : [UNSEEN_LINKS];
  const parts = { workingFolder, hiddenInside: places.hide, files };
  const around = root === undefined ? undefined : await guardNeighbour(root, parts);
  const others = await guardBeside(beside, workingFolder, places.hide, files);
  const hidingRemarks = [...places.hidingRemarks, ...remarks, ...others.problems];
  const guarded = { ...places, hidingRemarks };
  const neighbours = [...(around?.neighbours ?? []), ...others.neighbours];
  const box: ShellBox = {
    kind: 'shell',
    workingFolder,
    home: BOX_HOME,
    readOnly: [],
    protect: [],
    hide: [
      ...[...guarded.hide.filter(isDotted), ...own].map((names) => join(workingFolder, ...names)),
      ...files.shownIn(workingFolder),
      ...(around?.hide ?? []),
      ...others.hide,
    ],
    deny: [
      ...[
        ...guarded.hide.filter((names) => !isDotted(names)),
        ...links.found,
        ...(around?.linked ?? []),
        ...others.linked,
      ].map((names) => join(workingFolder, ...names)),
      ...(around?.deny ?? []),
      ...others.deny,
    ],
    ...(neighbours.length === 0 ? {} : { neighbours }),
    ...(filled === undefined ? {} : { filled }),
    limits: LIMITS,
  };
  return { box, guarded, own, around: around === undefined ? {} : { around } };
}

/**
 * Programs read these automatically: closing them would make the programs fail. Other hidden places
 * may be in a repository.
 */
function isDotted(names: readonly string[]): boolean {
  return names.at(-1)?.startsWith('.') === true;
}

/** A live background command: a server needs more processor time than a command. */
export async function backgroundShellBox(
  workingFolder: string,
  layout: HomeLayout,
  files: ProtectedNames,
  shown: ShownPlaces = {},
): Promise<PreparedBox> {
  const prepared = await liveShellBox(workingFolder, layout, files, shown);
  const { maxCpuSeconds: _, ...limits } = prepared.box.limits;
  return { ...prepared, box: { ...prepared.box, limits } };
}

/** At the top of the folder no protected name may be a link, or be unusable for the launcher. */
function refuseOddNames(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true, encoding: 'buffer' })) {
    const name = entry.name.toString('utf8');
    if (!Buffer.from(name).equals(entry.name)) {
      if (isProtectedByAnyReading(entry.name)) throw unhideable(folder, entry.name);
    } else if (entry.isSymbolicLink() && isObeyed(name)) {
      throw unprotectable(join(folder, name));
    }
  }
}

function isObeyed(name: string): boolean {
  return folderRefusal(name, 'write')?.rule === 'executed-later';
}

function unhideable(folder: string, name: Buffer): BulkheadError {
  return new BulkheadError(
    'blocked',
    `${join(folder, shownName(name))} is protected, and can't be hidden from commands: its name is no UTF-8`,
    { fix: 'Rename it, or work in another folder.' },
  );
}

function unprotectable(path: string): BulkheadError {
  return new BulkheadError('blocked', `${path} is a symbolic link and can't be protected from commands`, {
    fix: 'Work in the folder it leads to, or replace the link.',
  });
}
