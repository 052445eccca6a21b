import type { Attempt, BoxKind, Control } from './attempt.ts';
import type { Outcome } from './outcome.ts';

export type Expected = Partial<Record<BoxKind, readonly Outcome[]>>;

/** Refused by the system call filter. */
export const filter = ['EPERM'];
/** Refused by Landlock, or not there where the box has mounts of its own. */
export const closed = ['EACCES', 'ENOENT'];
export const absent = ['ENOENT'];
export const readOnly = ['EROFS'];
/** By filter or Landlock, whichever comes first; or no process has that number. */
export const nobody = ['EPERM', 'EACCES', 'ESRCH', 'ENOENT'];
export const done = ['done'];
/** Across the border of what a worker may change. */
export const across = ['EPERM', 'EACCES', 'EXDEV', 'ENOENT'];

export const alone = 'only one box has an init of its own; the wall "hidden-init" proves it';

export function nativeAttempt(
  ids: string,
  name: string,
  expected: Expected,
  more: { control?: Control; known?: Attempt['known']; knownBare?: Attempt['knownBare'] } = {},
): Attempt {
  const { control = 'works', known, knownBare } = more;
  return {
    name,
    arm: 'native',
    ids: ids.split(' '),
    expected,
    control,
    ...(known === undefined ? {} : { known }),
    ...(knownBare === undefined ? {} : { knownBare }),
  };
}
