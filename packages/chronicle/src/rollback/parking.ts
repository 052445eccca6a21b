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

/** Temporary names beside an object, for one step of one rollback; recognizable after a crash. */
export interface SideNames {
  /** The object that will get the name. */
  readonly fresh: Buffer;
  /** The object that had it. */
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
 * Moves the object aside, checks it there, where others no longer find it, and moves it back if it
 * differs from the expected one.
 *
 * @param onParked called after the move
 * @throws Surprise if it was another object
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
 * Cleans up the temporary names that a crash left.
 *
 * @param from the object's state before: the rollback's snapshot has its content
 * @throws Surprise if the parked object is someone's edit, and can't get its name back
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

/** A move changes the change time; everything else must be equal. */
export function isSame(a: BigIntStats, b: BigIntStats): boolean {
  return (
    a.dev === b.dev && a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs && a.mode === b.mode
  );
}

/** If another object has the name now, both stay, so no data is lost. */
function putBack(folder: Descriptor, parked: Buffer, name: Buffer): void {
  if (lookAtEntry(folder, parked)?.isDirectory() === true) {
    // A folder can't have a second name; the move can only replace an empty folder.
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
