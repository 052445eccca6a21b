import type { BigIntStats } from 'node:fs';
import { objectId } from './object-id.ts';

/**
 * An overlay gives a folder a new upper layer, with another time of birth, at its first new entry.
 */
const OVERLAY = 0x794c7630;

/** Facts that distinguish one object from another while both exist. */
export type ObjectFacts = Pick<BigIntStats, 'dev' | 'ino' | 'birthtimeNs'>;

/**
 * Names an object so that it is known again after a restart and after its disk was mounted anew, also under another device
 * number: `inode@birth`, the time in nanoseconds since 1970. An inode that is used again has another time of birth.
 *
 * File systems that keep no such time, and overlays, whose folders are born again, give `device:inode`: there an object is not
 * known again under another device number.
 *
 * @param fileSystem its type, as `statfs` gives it
 */
export function lastingId(facts: ObjectFacts, fileSystem: number): string {
  if (facts.birthtimeNs <= 0n || fileSystem === OVERLAY) return objectId(facts);
  return `${facts.ino}@${facts.birthtimeNs}`;
}

/** @param kept as `lastingId` gave it, or `device:inode`, as records from before it have it: of these the device must fit */
export function isSameObject(kept: string, facts: ObjectFacts, fileSystem: number): boolean {
  return kept === objectId(facts) || kept === lastingId(facts, fileSystem);
}
