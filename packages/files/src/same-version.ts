import type { BigIntStats } from 'node:fs';

/** Facts that distinguish versions of an object without reading it. */
export type ObjectVersion = Pick<BigIntStats, 'dev' | 'ino' | 'size' | 'mtimeNs' | 'ctimeNs'>;

/** True if the very same object was not changed in between, as far as its file system tells. */
export function sameVersion(a: ObjectVersion, b: ObjectVersion): boolean {
  return (
    a.dev === b.dev &&
    a.ino === b.ino &&
    a.size === b.size &&
    a.mtimeNs === b.mtimeNs &&
    a.ctimeNs === b.ctimeNs
  );
}
