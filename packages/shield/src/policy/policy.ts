import type { Secrecy } from '@bulkhead/protocol';
import type { Trust } from '../annotations/flow-policy.ts';
import type { ArgvPattern } from '../patterns/argv-pattern.ts';
import type { Glob } from '../patterns/glob.ts';
import type { SessionMode } from './policy-case.ts';
import type { TimeWindow } from './time-window.ts';

/** A parsed tier 0 policy: lists in evaluation order. */
export interface Policy {
  readonly version: 1;
  readonly name: string;
  /** SHA-256, hex, of the policy's source; empty where versions are not tracked. */
  readonly digest: string;
  readonly deny: readonly PolicyRule[];
  /** A person's permanent approvals: allowed without asking again, whatever `verify` says. */
  readonly answered: readonly PolicyRule[];
  readonly verify: readonly VerifyRule[];
  readonly allow: readonly AllowRule[];
}

export type PolicyList = (typeof POLICY_LISTS)[number];

export const POLICY_LISTS = ['deny', 'answered', 'verify', 'allow'] as const;

export interface PolicyRule {
  /** Unique within the policy. */
  readonly name: string;
  readonly reason: string;
  readonly match: RuleMatch;
}

/** Sends matching actions to a person, or to a later tier, whose allow is the first that counts. */
export interface VerifyRule extends PolicyRule {
  readonly by: VerifyJudge;
}

/** `analysis` is tier 1, `evaluator` tier 2, `human` tier 3. */
type VerifyJudge = (typeof VERIFY_JUDGES)[number];

export const VERIFY_JUDGES = ['human', 'evaluator', 'analysis'] as const;

export interface AllowRule extends PolicyRule {
  /** The first tier whose allow is final [H5]. 0: this rule itself. */
  readonly minTier: 0 | 1 | 2;
}

/**
 * Conditions of a rule. All present conditions must hold; within a list, one is enough; an empty
 * list never holds. At least one is present. Where an action has several values (paths, hosts,
 * commands, recipients, modes), one must match in deny and verify, and all of them, at least one,
 * in allow. Unknown values match in deny and verify, and never in allow.
 */
export interface RuleMatch {
  /** Exact names. */
  readonly tool?: readonly string[] | undefined;
  readonly group?: readonly string[] | undefined;
  /** Matches the session's working folder, absolute. */
  readonly folder?: readonly Glob[] | undefined;
  /**
   * Matches absolute paths; `{workingFolder}` stands for the session's. `path` and `access` must
   * hold for the same path.
   */
  readonly path?: readonly Glob[] | undefined;
  readonly access?: readonly ('read' | 'write')[] | undefined;
  /**
   * Matches the command's text. In allow rules `*` and `?` do not match characters with which a
   * shell could start another command (`**` does); in deny and verify rules they match all. Text is
   * not meaning: a command can be written in many ways, so a deny here is advice and the box is the
   * boundary.
   */
  readonly command?: readonly Glob[] | undefined;
  /**
   * Matches program and arguments of each simple command. In deny and verify, a program without a
   * slash matches in every folder; in allow it matches as written, and a command with redirections
   * or its own variables never matches.
   */
  readonly argv?: readonly ArgvPattern[] | undefined;
  /**
   * Hosts: exact, `*.name` for all names below one, `*` for any. An action without network never
   * matches.
   */
  readonly host?: readonly string[] | undefined;
  /**
   * Matches recipients: arguments with that role in the tool's annotation, in lower case. `*` and
   * `?` do not match `@` and separators.
   */
  readonly recipient?: readonly Glob[] | undefined;
  /** Exact names; `client` stands for every client that Bulkhead brings. */
  readonly channel?: readonly string[] | undefined;
  /** Exact ids. */
  readonly sender?: readonly string[] | undefined;
  /** Exact names. */
  readonly profile?: readonly string[] | undefined;
  readonly sessionMode?: readonly SessionMode[] | undefined;
  readonly time?: readonly TimeWindow[] | undefined;
  /** If both are given, both must hold. */
  readonly taint?: TaintMatch | undefined;
}

export interface TaintMatch {
  readonly secrecy?: readonly Secrecy[] | undefined;
  readonly trust?: readonly Trust[] | undefined;
}
