/** What a worker may touch. A relative path is meant from the first root. */
export interface Grant {
  readonly roots: readonly GrantRoot[];
}

export interface GrantRoot {
  /** Absolute. */
  readonly path: string;
  readonly access: GrantAccess;
}

export type GrantAccess = 'rw' | 'ro';
