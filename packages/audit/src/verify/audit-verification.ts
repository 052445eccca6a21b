/** What a check of the whole log found. */
export interface AuditVerification {
  readonly ok: boolean;
  /** Good entries before the first bad one, or all. */
  readonly entries: number;
  readonly firstBad?: BadEntry;
  /** What the signatures say; undefined for a log of a version that signed nothing. */
  readonly signed?: SignedPart;
}

/** How far a log is vouched for by its own key. */
export interface SignedPart {
  /** The key, as C2SP signed-note writes it. */
  readonly key: string;
  readonly checkpoints: number;
  /** Size of the first checkpoint: before it the log had none. What it covers was signed then, not when it was written. */
  readonly from: number;
  /** Size of the last one: entries after it are in the hash chain only. */
  readonly to: number;
}

export interface BadEntry {
  /** Name of the file inside the folder, or of the witness. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** The number the entry should have. Where only a checkpoint tells that something is wrong, the first it may be. */
  readonly n: number;
  readonly reason: string;
}
