import type { LinkedObject } from '@bulkhead/files';

/** The folders a worker may touch. A relative path starts at the first root. */
export interface Grant {
  readonly roots: readonly GrantRoot[];
}

/** Reports which open files are protected ones under other names, in order. */
export type AskProtected = (objects: readonly LinkedObject[]) => Promise<readonly boolean[]>;

export interface GrantRoot {
  /** Absolute. */
  readonly path: string;
  readonly access: GrantAccess;
}

/** `no` excludes a folder of a root: nothing below it is read or changed. */
export type GrantAccess = 'rw' | 'ro' | 'no';
