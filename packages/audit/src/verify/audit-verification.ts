/** The result of verifying the whole log. */
export interface AuditVerification {
  readonly ok: boolean;
  /** Good entries before the first bad one, or all. */
  readonly entries: number;
  readonly firstBad?: BadEntry;
  /** The signed part; undefined for a log of a version without signatures. */
  readonly signed?: SignedPart;
}

/** The part of a log covered by its own key's signatures. */
export interface SignedPart {
  /** The key, in the format of C2SP signed-note. */
  readonly key: string;
  readonly checkpoints: number;
  /**
   * Size of the first checkpoint. Its entries were signed at its time, not when they were written.
   */
  readonly from: number;
  /** Size of the last one: entries after it are in the hash chain only. */
  readonly to: number;
}

export interface BadEntry {
  /** Name of the file inside the folder, or of the witness. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /**
   * The expected number of the entry. If only a checkpoint shows a problem, the first possible
   * entry.
   */
  readonly n: number;
  readonly reason: string;
}
