/**
 * The step of an action. `REPAIRED`, `ENGINE_START` and the steps about trust, declassifying,
 * access, settings, witnesses and keys concern no action, but the log, the engine, a person's
 * decisions, HTTP access, changed settings, copies of checkpoints and their signers. `ACCEPTED` and
 * `SETTLED` are about a message, `CHECKED` records up to where this log and the session logs agree,
 * `LOSS_ACCEPTED` is a person's decision about a session whose log lost records, `CLOCK_CONFIRMED`
 * a person's confirmation that the wall clock is right.
 */
export type AuditStep = (typeof AUDIT_STEPS)[number];

export const AUDIT_STEPS = [
  'PROPOSED',
  'EVALUATED',
  'APPROVED',
  'DENIED',
  'DESCRIBED',
  'STARTED',
  'RECOVERED',
  'EXECUTED',
  'FAILED',
  'REFUSED',
  'REPAIRED',
  'TRUSTED',
  'TRUST_REVOKED',
  'DECLASSIFIED',
  'VALUE_TRUSTED',
  'GRANT_REVOKED',
  'SKILL_INSTALLED',
  'SKILL_PINNED',
  'SKILL_REMOVED',
  'ACCESS_GIVEN',
  'ACCESS_ENDED',
  'SETTINGS_CHANGED',
  'ENGINE_START',
  'WITNESS_BEGUN',
  'WITNESS_LOST',
  'WITNESS_BACK',
  'KEY_CHANGE',
  'ACCEPTED',
  'SETTLED',
  'CHECKED',
  'LOSS_ACCEPTED',
  'CLOCK_CONFIRMED',
  'SESSION_DELETED',
] as const;

/** Version of an entry. A reader refuses others. */
export const AUDIT_VERSION = 1;

/**
 * Facts about a step: decision, rule, paths, sizes. Never contents of files, outputs or whole
 * arguments. A string keeps 512 characters, a list 32 items, the whole 32 members and 16 KiB;
 * truncated text ends in `…`.
 */
export type AuditDetails = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/** One step of one action, to record. Names keep 256 characters. */
export interface AuditInput {
  readonly step: AuditStep;
  /** Id of the action; empty where there is none. */
  readonly action: string;
  /** SHA-256 of the canonical action, hex; empty where there is none. */
  readonly hash: string;
  readonly session: string;
  readonly tool: string;
  /**
   * The last position of the session's log on the disk before this entry was written. Absent if
   * unknown, off the record, or in entries of versions without it.
   */
  readonly logged?: number;
  readonly details: AuditDetails;
}

/**
 * One line of the log. Entries are numbered from 1 over all files, each naming the one before it.
 */
export interface AuditEntry extends AuditInput {
  readonly v: typeof AUDIT_VERSION;
  readonly n: number;
  /** RFC 3339, UTC. */
  readonly time: string;
  /** `self` of entry n - 1; 64 zeros for the first. */
  readonly prev: string;
  /** SHA-256, hex, over the RFC 8785 bytes of the entry without `self`. */
  readonly self: string;
}
