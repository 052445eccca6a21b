import type { Action } from '@bulkhead/protocol';
import type { ToolAnnotations, Writer } from '../annotations/tool-annotation.ts';

/** How a session stands when it acts. Of one that is none of the others, `normal`. */
export type SessionMode = (typeof SESSION_MODES)[number];

/** `otr`: off the record. `dry-run`: nothing is done. `unattended`: nobody is there to be asked. */
export const SESSION_MODES = ['normal', 'otr', 'dry-run', 'unattended'] as const;

/** How harmful it is if a value becomes known, least first [F1]. */
export type Secrecy = (typeof SECRECY_LEVELS)[number];

export const SECRECY_LEVELS = ['public', 'internal', 'confidential', 'restricted', 'critical'] as const;

/** Who could write a value, most trusted first. */
export const TRUST_LEVELS = ['user', 'workspace', 'service', 'external'] as const satisfies readonly Writer[];

/** What an action may carry: the highest secrecy and the least trusted writer of what went into it. */
export interface Taint {
  readonly secrecy: Secrecy;
  readonly trust: Writer;
}

/** One command without `|`, `&&`, `;` and the like, as a shell would start it. */
export interface SimpleCommand {
  /** Program and arguments, quotes taken off; undefined for a word whose text is known only when it runs. */
  readonly words: readonly (string | undefined)[];
  /** False if something beside its words has an effect: a redirection, a variable that is set for it. */
  readonly plain: boolean;
}

/** Every simple command that a text may start, at any depth; undefined for a text that can't be parsed. */
export type ParseCommand = (command: string) => readonly SimpleCommand[] | undefined;

/**
 * What a policy may ask beside the action itself. What is absent is not known, and what is not known holds in deny
 * and verify, and never in allow.
 */
export interface PolicyFacts {
  /** At least one. */
  readonly modes?: readonly SessionMode[];
  /** The way the request came: `terminal`, `web`, the name of a chat channel. */
  readonly channel?: string;
  readonly taint?: Taint;
  /** Milliseconds since the epoch. */
  readonly now?: number;
  readonly parseCommand?: ParseCommand;
  /** Tells which arguments name who receives. */
  readonly annotations?: ToolAnnotations;
}

/** What a rule is asked about. */
export interface PolicyCase {
  readonly action: Action;
  readonly facts: PolicyFacts;
}
