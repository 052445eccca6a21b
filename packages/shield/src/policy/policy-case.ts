import type { Action, ToolAnnotations } from '@bulkhead/protocol';
import type { Label } from '../flow/label.ts';

/** How a session stands when it acts. Of one that is none of the others, `normal`. */
export type SessionMode = (typeof SESSION_MODES)[number];

/** `otr`: off the record. `dry-run`: nothing is done. `unattended`: nobody is there to be asked. */
export const SESSION_MODES = ['normal', 'otr', 'dry-run', 'unattended'] as const;

/** One command without `|`, `&&`, `;` and the like, as a shell would start it. */
export interface SimpleCommand {
  /** Program and arguments, quotes taken off; undefined for a word whose text is known only when it runs. */
  readonly words: readonly (string | undefined)[];
  /** False if something beside its words has an effect: a redirection, a variable that is set for it. */
  readonly plain: boolean;
}

/** Every simple command that an action may start, at any depth; undefined for a text that can't be parsed. */
export type StartedBy = (action: Pick<Action, 'metadata'>) => readonly SimpleCommand[] | undefined;

/**
 * What a policy may ask beside the action itself. What is absent is not known, and what is not known holds in deny
 * and verify, and never in allow.
 */
export interface PolicyFacts {
  /** At least one. */
  readonly modes?: readonly SessionMode[];
  /** The way the request came: `terminal`, `web`, the name of a chat channel. */
  readonly channel?: string;
  /** The session's label: the most secret and the most foreign of all that went into it. */
  readonly taint?: Label;
  /** Milliseconds since the epoch. */
  readonly now?: number;
  readonly startedBy?: StartedBy;
  /** Tells which arguments name who receives. */
  readonly annotations?: Pick<ToolAnnotations, 'get'>;
}

/** What a rule is asked about. */
export interface PolicyCase {
  readonly action: Action;
  readonly facts: PolicyFacts;
}
