import type { Glob } from './glob.ts';

/** A parsed tier 0 policy: lists in the order they are asked, deny first, then verify, then allow. */
export interface Policy {
  readonly version: 1;
  readonly name: string;
  readonly deny: readonly PolicyRule[];
  /** Rules that ask a person. */
  readonly verify: readonly PolicyRule[];
  readonly allow: readonly PolicyRule[];
}

export type PolicyList = 'deny' | 'verify' | 'allow';

export interface PolicyRule {
  /** Unique within the policy. */
  readonly name: string;
  readonly reason: string;
  readonly match: RuleMatch;
}

/**
 * Conditions of a rule. All that are present must hold; within a list, one is enough; an empty list
 * never holds. At least one is present. `path` and `access` hold together for one path of the action in
 * deny and verify, and for all of its paths, at least one, in allow.
 */
export interface RuleMatch {
  /** Exact names. */
  readonly tool?: readonly string[] | undefined;
  readonly group?: readonly string[] | undefined;
  /** Over absolute paths; `{workingFolder}` stands for the session's. */
  readonly path?: readonly Glob[] | undefined;
  readonly access?: readonly ('read' | 'write')[] | undefined;
  /**
   * Over the command's text. In allow rules `*` and `?` stop at what a shell could start another command
   * with (`**` does not); in deny and verify rules they stop at nothing. Text is not meaning: a command
   * can be written in many ways, so a deny here is advice and the box is the boundary.
   */
  readonly command?: readonly Glob[] | undefined;
  /**
   * Hosts: exact, `*.name` for all names below one, `*` for any. Of an action's hosts one must match in deny and
   * verify, all of them, at least one, in allow; an action without network never matches.
   */
  readonly host?: readonly string[] | undefined;
}
