import { statfsSync } from 'node:fs';
import type { Timers } from '@bulkhead/protocol';

/** A disk that takes 1 GB/s loses 250 MB meanwhile: less than the reserve of a box. */
const EVERY_MS = 250;

/**
 * Calls `full` once if the file system of a folder has less room than a box must leave.
 *
 * @param minFreeBytes what must be left, for users without special rights
 * @returns to be disposed when nothing is written any more
 */
export function watchFreeSpace(
  parts: { readonly folder: string; readonly minFreeBytes: number; readonly timers: Timers },
  full: () => void,
): Disposable {
  let timer = parts.timers.after(0, look);
  function look(): void {
    if (hasRoom(parts.folder, parts.minFreeBytes)) timer = parts.timers.after(EVERY_MS, look);
    else full();
  }
  return { [Symbol.dispose]: () => timer[Symbol.dispose]() };
}

/** A folder that can't be asked is gone, and nothing is written to it by that name. */
function hasRoom(folder: string, minFreeBytes: number): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder, { bigint: true });
    return bavail * bsize >= BigInt(minFreeBytes);
  } catch {
    return true;
  }
}
