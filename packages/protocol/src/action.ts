import type { ShownFolder } from './need.ts';
import type { Origin } from './origin.ts';

/**
 * One proposed effect, the same for every stage of the pipeline. `canonical` is the only form that
 * is judged, shown, approved, audited and executed: no stage re-serialises `arguments`.
 */
export interface Action {
  /** ULID. */
  readonly id: string;
  readonly sessionId: string;
  readonly runId: string;
  /** The model's call that this action came from. */
  readonly callId: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** RFC 8785 text of `{arguments, tool}`, with the permissions of people (`folders`, `granted`, …) if there are any. */
  readonly canonical: string;
  /** SHA-256 of `canonical`, 64 hex digits. */
  readonly hash: string;
  /** RFC 3339. */
  readonly time: string;
  /** Where the message came from whose run proposes it; absent where it is unknown. */
  readonly origin?: Origin;
  readonly metadata: ActionMetadata;
}

/** Facts the engine derives from the arguments, never taken from the agent. */
export interface ActionMetadata {
  /** The session's working folder, absolute. */
  readonly workingFolder: string;
  /** Every path the action names, resolved against the working folder, absolute, with its use. */
  readonly paths: readonly ActionPath[];
  /** The shell command, if the action is one. */
  readonly command?: string;
  /**
   * Every host the action would connect to, if it uses the network: names in lower-case ASCII,
   * addresses in their URL form.
   */
  readonly hosts?: readonly string[];
  /**
   * `host:port` of each server that a person allows the command to reach besides `hosts`. It is part
   * of `canonical`.
   */
  readonly granted?: readonly string[];
  /** Folders of programs that a person allows the command to read. They are part of `canonical`. */
  readonly toolchains?: readonly ShownFolder[];
  /**
   * Files with credentials, by paths below the working folder, that a person allows the command to
   * read. They are part of `canonical`.
   */
  readonly secretFiles?: readonly string[];
  /** Folders beside or around the working folder that it may read, or change as well. Part of `canonical`. */
  readonly folders?: readonly ShownFolder[];
  /** True if the command continues after the call has ended. */
  readonly background?: true;
  /** True if it is to see and write the working folder directly meanwhile. */
  readonly live?: true;
  readonly group: string;
  readonly effect: EffectClass;
}

export interface ActionPath {
  /** Absolute, links followed. */
  readonly path: string;
  /**
   * The call's own name for it, if links resolve it elsewhere: the policy must allow that name too.
   */
  readonly named?: string;
  readonly access: 'read' | 'write';
}

/**
 * The effect of repeating a call. `pure` changes nothing; `idempotent` may be repeated under its
 * key; `once` must never be repeated without asking.
 */
export type EffectClass = 'pure' | 'idempotent' | 'once';
