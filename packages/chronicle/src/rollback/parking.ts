import type { BigIntStats } from 'node:fs';
import {
  type Descriptor,
  giveFreeName,
  lookAtEntry,
  moveEntryOver,
  pathText,
  removeEntry,
  removeIfThere,
  systemCode,
} from '@bulkhead/files';
import { lookAtObject } from '../look-at-object.ts';
import { type ObjectState, sameContent } from '../object-state.ts';
import { hashOnly } from '../store/copy-content.ts';
import type { Place } from './place.ts';
import { Surprise } from './surprise.ts';

/** Names beside an object, of one step of one rollback: known again after a crash. */
export interface SideNames {
  /** What is to get the name. */
  readonly fresh: Buffer;
  /** What had it. */
  readonly parked: Buffer;
}

/** @param id of the rollback @param number of the step in its journal */
export function sideNames(id: string, number: number): SideNames {
  return {
    fresh: Buffer.from(`.bulkhead-${id}-${number}.new`),
    parked: Buffer.from(`.bulkhead-${id}-${number}.old`),
  };
}

/**
 * Moves what has the name aside, looks at it there, where nobody finds it by its name, and back if it is not what was
 * expected.
 *
 * @param onParked is told when it has been moved
 * @throws Surprise if it was something else
 */
export function park(
  { folder, name }: Place,
  { parked }: SideNames,
  expected: BigIntStats,
  onParked: () => void,
): void {
  moveEntryOver(folder, name, parked);
  onParked();
  const found = lookAtEntry(folder, parked);
  if (found !== undefined && isSame(found, expected)) return;
  putBack(folder, parked, name);
  throw new Surprise('was changed meanwhile');
}

/**
 * Brings in order what a crash left beside the name.
 *
 * @param from what had the name before: its content is in the snapshot of the rollback
 * @throws Surprise if what was moved aside is somebody's edit, and can't have its name back
 */
export async function tidy(
  { folder, name }: Place,
  { fresh, parked }: SideNames,
  from: ObjectState,
): Promise<void> {
  removeIfThere(folder, fresh);
  if (lookAtEntry(folder, parked) === undefined) return;
  if (lookAtEntry(folder, name) === undefined) {
    putBack(folder, parked, name);
    return;
  }
  const { state } = await lookAtObject(folder, [parked], hashOnly);
  if (!sameContent(state, from)) {
    throw new Surprise(`was changed meanwhile; that is kept beside it as ${pathText(parked)}`);
  }
  removeEntry(folder, parked);
}

/** Moving changes the change time; all else must be as it was. */
export function isSame(a: BigIntStats, b: BigIntStats): boolean {
  return (
    a.dev === b.dev && a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs && a.mode === b.mode
  );
}

/** If something else has the name by now, both stay: nothing is lost. */
function putBack(folder: Descriptor, parked: Buffer, name: Buffer): void {
  if (lookAtEntry(folder, parked)?.isDirectory() === true) {
    // A folder has no second name; one that is empty is the only thing this can replace.
    moveEntryOver(folder, parked, name);
    return;
  }
  try {
    giveFreeName(folder, parked, name);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
    throw new Surprise(`was changed twice meanwhile; what it was is beside it as ${pathText(parked)}`);
  }
}
