/** What a worker may touch. A relative path is meant from the first root. */
export interface Grant {
  readonly roots: readonly GrantRoot[];
  /** Objects, as `device:inode`, that are not opened whatever name leads to them. */
  readonly closed?: readonly string[];
}

export interface GrantRoot {
  /** Absolute. */
  readonly path: string;
  readonly access: GrantAccess;
}

/** `no` takes a folder out of the root it lies in: what is below it is neither read nor changed. */
export type GrantAccess = 'rw' | 'ro' | 'no';
