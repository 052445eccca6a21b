import type { Action, ToolAnnotations } from '@bulkhead/protocol';
import type { Label } from '../flow/label.ts';

/** The mode of a session when it acts; `normal` if no other applies. */
export type SessionMode = (typeof SESSION_MODES)[number];

/** `otr`: off the record. `dry-run`: no action is executed. `unattended`: no one can be asked. */
export const SESSION_MODES = ['normal', 'otr', 'dry-run', 'unattended'] as const;

/** One command without `|`, `&&`, `;` and the like, as a shell would start it. */
export interface SimpleCommand {
  /** Program and arguments without quotes; undefined for a word known only at run time. */
  readonly words: readonly (string | undefined)[];
  /** False if it has effects besides its words: a redirection, a variable set for it. */
  readonly plain: boolean;
}

/**
 * Every simple command that an action may start, at any depth; undefined for a text that can't be
 * parsed.
 */
export type StartedBy = (action: Pick<Action, 'metadata'>) => readonly SimpleCommand[] | undefined;

/**
 * Facts that a policy may use besides the action itself. Absent facts are unknown, and unknown
 * facts match in deny and verify, and never in allow.
 */
export interface PolicyFacts {
  /** At least one. */
  readonly modes?: readonly SessionMode[];
  /** The channel of the request: `cli`, `tui`, `web`, `api`, `acp`, `sdk`, `client`, or a chat channel. */
  readonly channel?: string;
  /** Id of its sender: `owner`, or another id on that channel. */
  readonly sender?: string;
  /** Name of the profile that answers it. */
  readonly profile?: string;
  /** The session's label: the highest secrecy and lowest trust of all its data. */
  readonly taint?: Label;
  /** Milliseconds since the epoch. */
  readonly now?: number;
  readonly startedBy?: StartedBy;
  /** Identifies the arguments that name recipients. */
  readonly annotations?: Pick<ToolAnnotations, 'get'>;
}

/** The input of a rule. */
export interface PolicyCase {
  readonly action: Action;
  readonly facts: PolicyFacts;
}
