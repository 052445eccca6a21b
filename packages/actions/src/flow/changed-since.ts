import { lstatSync } from 'node:fs';
import { walkFolder } from '@bulkhead/processes/boxes/walk-folder';

/** Names that are looked at; in a folder with more, all counts as changed. */
const MAX_ENTRIES = 100_000;

/** Kernels give files the time of their last tick. In milliseconds, with room for all. */
const TICK_MS = 1_000;

/**
 * What was changed below a folder since a time, by when the system says so: nobody can set that back without setting the
 * clock. A folder that was moved counts, with all in it; so does every changed folder once a file is missing that should be
 * there, for it may be in any of them.
 *
 * @param since milliseconds since the epoch
 * @param known absolute paths below the folder that were there
 * @returns absolute paths; undefined if it can't be told, so that all of it counts
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

/** Undefined for what is gone. What can't be looked at counts as changed. */
function timesOf(path: string): { readonly changed: number; readonly modified: number } | undefined {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return stat && { changed: stat.ctimeMs, modified: stat.mtimeMs };
  } catch {
    return { changed: Number.POSITIVE_INFINITY, modified: 0 };
  }
}
