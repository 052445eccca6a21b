/**
 * Proves that a log, at the time of a signed checkpoint, contains these entries; verifiable alone.
 */
export interface ActionProof {
  readonly v: 1;
  readonly proves: 'action';
  readonly action: string;
  /**
   * Public key of the log, in the format of C2SP signed-note. The verifier must know it from
   * elsewhere.
   */
  readonly key: string;
  /** The signed checkpoint. */
  readonly checkpoint: string;
  /** Entries of the action that the checkpoint covers, as in the log. */
  readonly entries: readonly { readonly n: number; readonly line: string }[];
  /** Roots of the subtrees beside them, from left to right; base64. */
  readonly hashes: readonly string[];
}

/** Proves that the tree of an older checkpoint is the start of a newer one's. */
export interface ConsistencyProof {
  readonly v: 1;
  readonly proves: 'consistency';
  readonly key: string;
  readonly older: string;
  readonly newer: string;
  /** Roots of subtrees before and after the older size, from left to right; base64. */
  readonly hashes: readonly string[];
}
