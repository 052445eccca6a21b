import type { BigIntStats } from 'node:fs';

/** The same for one object, whatever names lead to it, through hard links and bind mounts alike: `device:inode`. */
export function objectId({ dev, ino }: Pick<BigIntStats, 'dev' | 'ino'>): string {
  return `${dev}:${ino}`;
}
