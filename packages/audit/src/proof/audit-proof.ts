/** Proves that a log, as it was when a checkpoint was signed, holds these entries; can be checked alone. */
export interface ActionProof {
  readonly v: 1;
  readonly proves: 'action';
  readonly action: string;
  /** Public key of the log, as C2SP signed-note writes it. Who checks the proof must know it from elsewhere. */
  readonly key: string;
  /** The signed checkpoint. */
  readonly checkpoint: string;
  /** Entries of the action that the checkpoint covers, as they stand in the log. */
  readonly entries: readonly { readonly n: number; readonly line: string }[];
  /** Roots of the subtrees beside them, from left to right; base64. */
  readonly hashes: readonly string[];
}

/** Proves that what an older checkpoint was signed over is the start of what a newer one was. */
export interface ConsistencyProof {
  readonly v: 1;
  readonly proves: 'consistency';
  readonly key: string;
  readonly older: string;
  readonly newer: string;
  /** Roots of subtrees up to and after the older size, from left to right; base64. */
  readonly hashes: readonly string[];
}
