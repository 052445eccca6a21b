import { statfsSync } from 'node:fs';
import type { Timers } from '@bulkhead/protocol';

/** A disk that writes 1 GB/s fills 250 MB meanwhile: less than the reserve of a box. */
const EVERY_MS = 250;

/**
 * Calls `full` once if the file system of a folder has less room than a box must leave.
 *
 * @param minFreeBytes to leave, for users without special rights
 * @returns dispose when all writing has ended
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

/** A folder that can't be checked is gone, and receives no more data. */
function hasRoom(folder: string, minFreeBytes: number): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder, { bigint: true });
    return bavail * bsize >= BigInt(minFreeBytes);
  } catch {
    return true;
  }
}
