import { lstatSync } from 'node:fs';
import { walkFolder } from '@bulkhead/processes/boxes/walk-folder';

/** Maximum of names to inspect; in a larger folder, everything counts as changed. */
const MAX_ENTRIES = 100_000;

/** The kernel uses the time of its last tick for files. In milliseconds, with a wide margin. */
const TICK_MS = 1_000;

/**
 * Finds the changes below a folder since a time, by the change time of the system, which cannot be
 * set back without setting the clock. A moved folder counts with its content. Once a known file is
 * missing, every changed folder also counts, because the file may be in any of them.
 *
 * @param since milliseconds since the epoch
 * @param known absolute paths that existed below the folder
 * @returns absolute paths; undefined if unknown, so that the whole folder counts
 */
export async function changedSince(
  folder: string,
  since: number,
  known: readonly string[],
): Promise<readonly string[] | undefined> {
  const changed: string[] = [];
  const folders: string[] = [];
  const isWhole = await walkFolder(
    folder,
    ({ names, kind }) => {
      const path = [folder, ...names].join('/');
      const times = timesOf(path);
      if (times === undefined || times.changed < since - TICK_MS) return true;
      if (kind !== 'folder' || times.modified < since - TICK_MS) changed.push(path);
      else folders.push(path);
      return true;
    },
    MAX_ENTRIES,
  );
  if (!isWhole) return undefined;
  const isAnyGone = known.some((path) => timesOf(path) === undefined);
  return isAnyGone ? [...changed, ...folders] : changed;
}

/** Undefined for a missing file. A file that cannot be inspected counts as changed. */
function timesOf(path: string): { readonly changed: number; readonly modified: number } | undefined {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return stat && { changed: stat.ctimeMs, modified: stat.mtimeMs };
  } catch {
    return { changed: Number.POSITIVE_INFINITY, modified: 0 };
  }
}
