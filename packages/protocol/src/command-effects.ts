import type { Need } from './need.ts';

/**
 * A command's effects on its working folder, which was an overlay: known completely before any is
 * committed [B2]. Names are bytes: a file system promises no more.
 */
export interface CommandEffects {
  /** Exit status of the command; for a signal, 128 plus its number. */
  readonly status: number;
  /** The command that went on and wrote them, if the action that settles them is another. */
  readonly goneOn?: GoneOn;
  /** Every changed object, including each object of a deleted folder. */
  readonly changes: readonly ObservedChange[];
  /** Problems that make a commit impossible. */
  readonly problems: readonly CommandProblem[];
  /** Why the launcher ended the command, for example `disk-full`; absent if it ended normally. */
  readonly stopped?: string;
  /**
   * Differences between the command's result and a commit: `special-file`, `set-id-dropped`,
   * `other-links`.
   */
  readonly notes: readonly CommandProblem[];
  /**
   * Content of files whose names are not enough for a decision; by path, a character a byte
   * (latin1).
   */
  readonly texts?: ReadonlyMap<string, ChangedText>;
  /** The permissions that a failed command lacked. */
  readonly needs?: readonly Need[];
  /** `host:port` of each server that it reached. */
  readonly reached?: readonly string[];
  /**
   * Contents that were there before, and would be nowhere once the changes are kept. Absent if no one
   * looked: then every content that goes or is overwritten counts.
   */
  readonly lost?: readonly LostContent[];
}

/** A command that outlived its call, as a whole or with processes that it left. */
export interface GoneOn {
  /** As a background command. */
  readonly id: string;
  /** Id of the action that began it. */
  readonly action: string;
  readonly command: string;
}

/** A content that would be lost. */
export interface LostContent {
  /** Of the file that held it, or of the repository. */
  readonly path: Uint8Array;
  readonly what: 'deleted' | 'overwritten' | 'history';
  /** Files; for `history` objects and commits of a repository. */
  readonly count: number;
  /** SHA-256 of the content, hex; absent if it was not read. */
  readonly hash?: string;
}

/** Undefined if there is no such file, or if it can't be read as text. */
export interface ChangedText {
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/**
 * `created`: new; `changed`: other content (and perhaps mode or owner); `metadata`: other mode,
 * owner or times only; `deleted`; `replaced` by another object, perhaps of another kind.
 */
export type ChangeName = 'created' | 'changed' | 'metadata' | 'deleted' | 'replaced';

export type ObjectKind = 'file' | 'folder' | 'link' | 'other' | 'missing';

export interface ObservedChange {
  /** Relative to the working folder, without `.` and `..` in it; `.` alone is the folder itself. */
  readonly path: Uint8Array;
  readonly what: ChangeName;
  readonly kind: ObjectKind;
  readonly was: ObjectKind;
  /**
   * Permission bits, set-user and the like included; 0 without an object. Meaningless for a link.
   */
  readonly mode: number;
  readonly wasMode: number;
  /** Bytes. */
  readonly size: number;
  readonly wasSize: number;
  /** Present if both objects exist and belong to different users or groups: `UID:GID` each. */
  readonly owners?: { readonly was: string; readonly now: string };
  /** Number of names of the old object, inside and outside the folder. */
  readonly links: number;
  /** Present target of a link. */
  readonly target?: Uint8Array;
}

export interface CommandProblem {
  /**
   * `changed-meanwhile`, `open-elsewhere`, `gone-meanwhile`, `special-file`, …: a later launcher
   * may know more.
   */
  readonly code: string;
  readonly path: Uint8Array;
}

/** The decision about a command's changes. */
export type Settlement =
  | { readonly commit: true }
  /** @param reason for the model and the user, a sentence */
  | { readonly commit: false; readonly reason: string };

/** The end of a transaction. */
export type SettledAs =
  | { readonly type: 'committed' }
  | { readonly type: 'dropped' }
  /** Another program changed the object at `path` meanwhile; nothing was changed. */
  | { readonly type: 'conflict'; readonly problem: CommandProblem }
  /** A step failed with `errno` at `path`; earlier steps were rolled back. */
  | { readonly type: 'failed'; readonly errno: number; readonly path: Uint8Array }
  /** Both the commit and its rollback failed, at `path`: recovery has to repair the folder. */
  | { readonly type: 'stuck'; readonly problem: CommandProblem };

/**
 * Decides about an ended command before any effect is committed. Called once per command; a throw
 * or an abort discards everything.
 */
export type SettleCommand = (effects: CommandEffects) => Promise<Settlement>;

/** A command's effects in numbers, and whether they were committed. */
export interface EffectCounts {
  readonly kept: boolean;
  readonly created: number;
  readonly changed: number;
  readonly deleted: number;
}
