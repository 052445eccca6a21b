import type { BigIntStats } from 'node:fs';

/** One letter as `ls` prints it: `-` file, `d` folder, `l` link, `p` pipe, `s` socket, `b` and `c` devices. */
export type KindLetter = '-' | 'd' | 'l' | 'p' | 's' | 'b' | 'c' | '?';

export function kindLetter(stat: BigIntStats): KindLetter {
  if (stat.isFile()) return '-';
  if (stat.isDirectory()) return 'd';
  if (stat.isSymbolicLink()) return 'l';
  if (stat.isFIFO()) return 'p';
  if (stat.isSocket()) return 's';
  if (stat.isBlockDevice()) return 'b';
  return stat.isCharacterDevice() ? 'c' : '?';
}

const NAMES: Readonly<Record<KindLetter, string>> = {
  '-': 'a file',
  d: 'a folder',
  l: 'a symbolic link',
  p: 'a named pipe',
  s: 'a socket',
  b: 'a block device',
  c: 'a character device',
  '?': 'of an unknown kind',
};

export function kindName(stat: BigIntStats): string {
  return NAMES[kindLetter(stat)];
}
