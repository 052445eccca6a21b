import type { LinkedObject } from '@bulkhead/files';

/** What a worker may touch. A relative path is meant from the first root. */
export interface Grant {
  readonly roots: readonly GrantRoot[];
}

/** Tells of files that are open whether they are protected ones under other names, in order. */
export type AskProtected = (objects: readonly LinkedObject[]) => Promise<readonly boolean[]>;

export interface GrantRoot {
  /** Absolute. */
  readonly path: string;
  readonly access: GrantAccess;
}

/** `no` takes a folder out of the root it lies in: what is below it is neither read nor changed. */
export type GrantAccess = 'rw' | 'ro' | 'no';
