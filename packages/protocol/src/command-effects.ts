/**
 * What a command did to its working folder while that was an overlay: known in full before any of it is kept [B2].
 * Names are bytes: a file system promises no more.
 */
export interface CommandEffects {
  /** Exit status of the command, 128 and its number for a signal. */
  readonly status: number;
  /** Every object that is not as it was; what lies in a deleted folder is spelled out. */
  readonly changes: readonly ObservedChange[];
  /** What makes keeping the changes impossible. */
  readonly problems: readonly CommandProblem[];
  /** Why the launcher ended the command, `disk-full` for instance; absent if it came to its end. */
  readonly stopped?: string;
  /** What will not be as the command left it, when the rest is kept: `special-file`, `set-id-dropped`, `other-links`. */
  readonly notes: readonly CommandProblem[];
  /** Of some files, whose names alone don't tell enough, what is in them; by path, a character a byte (latin1). */
  readonly texts?: ReadonlyMap<string, ChangedText>;
}

/** Undefined where there is no such file, or none that could be read as text. */
export interface ChangedText {
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/**
 * `created` where there was nothing, `changed` in its content (and perhaps mode), `metadata` in mode or times only,
 * `deleted`, or `replaced` by another object, perhaps of another kind.
 */
export type ChangeName = 'created' | 'changed' | 'metadata' | 'deleted' | 'replaced';

export type ObjectKind = 'file' | 'folder' | 'link' | 'other' | 'missing';

export interface ObservedChange {
  /** Relative to the working folder, without `.` and `..` in it; `.` alone is the folder itself. */
  readonly path: Uint8Array;
  readonly what: ChangeName;
  readonly kind: ObjectKind;
  readonly was: ObjectKind;
  /** Permission bits, set-user and the like included; 0 where there is no object. Of a link they mean nothing. */
  readonly mode: number;
  readonly wasMode: number;
  /** Bytes. */
  readonly size: number;
  readonly wasSize: number;
  /** Names that the old object has, inside the folder or out of it. */
  readonly links: number;
  /** Where a link leads now. */
  readonly target?: Uint8Array;
}

export interface CommandProblem {
  /** `changed-meanwhile`, `open-elsewhere`, `gone-meanwhile`, `special-file`, …: a later launcher may know more. */
  readonly code: string;
  readonly path: Uint8Array;
}

/** What is to become of a command's changes. */
export type Settlement =
  | { readonly commit: true }
  /** @param reason for the model and the person, a sentence */
  | { readonly commit: false; readonly reason: string };

/** How a transaction came to its end. */
export type SettledAs =
  | { readonly type: 'committed' }
  | { readonly type: 'dropped' }
  /** Somebody else changed the object at `path` meanwhile; nothing was touched. */
  | { readonly type: 'conflict'; readonly problem: CommandProblem }
  /** A step failed with `errno` at `path`; what had been done was undone. */
  | { readonly type: 'failed'; readonly errno: number; readonly path: Uint8Array }
  /** Putting the changes in place failed, and so did undoing it, at `path`: recovery has to bring the folder in order. */
  | { readonly type: 'stuck'; readonly problem: CommandProblem };

/**
 * Decides about a command that has ended, before anything of it is kept. Whoever runs the command asks once; a throw or
 * an abort drops everything.
 */
export type SettleCommand = (effects: CommandEffects) => Promise<Settlement>;

/** What a command did, in numbers, and whether it was kept. */
export interface EffectCounts {
  readonly kept: boolean;
  readonly created: number;
  readonly changed: number;
  readonly deleted: number;
}
