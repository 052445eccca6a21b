import type { Decision, Secrecy, Sink, ToolAnnotations } from '@bulkhead/protocol';
import type { Glob } from '../patterns/glob.ts';

/** How far a value is the user's own word: from the user, from the folder that is worked in, from anybody. */
export type Trust = (typeof TRUST_LEVELS)[number];

export const TRUST_LEVELS = ['user', 'workspace', 'external'] as const;

/** What an `ifc.yaml` says: the tools, where labels come from, and which level may leave by which way. */
export interface FlowPolicy {
  readonly version: 1;
  /** `audit` records what would have been decided, and stops nothing. */
  readonly mode: 'enforce' | 'audit';
  readonly tools: ToolAnnotations;
  /** The file that says what a tool does, by name of the tool. */
  readonly origins: ReadonlyMap<string, string>;
  /** Further sets of tools whose names may repeat, by name of the set. */
  readonly scopes: ReadonlyMap<string, ToolAnnotations>;
  readonly sources: readonly SourceRule[];
  readonly rules: readonly SinkRule[];
}

/** Labels what comes from a place. All conditions that are present must hold; within a list, one is enough. */
export interface SourceRule {
  readonly name: string;
  readonly match: {
    readonly tool?: readonly string[] | undefined;
    readonly path?: readonly Glob[] | undefined;
    readonly host?: readonly string[] | undefined;
    /** Over the sender of a single message that a tool gives back. */
    readonly sender?: readonly Glob[] | undefined;
  };
  readonly secrecy?: Secrecy | undefined;
  readonly trust?: Trust | undefined;
}

/** What happens to data of a level at a way out. The first rule that matches decides; none: allow. */
export interface SinkRule {
  readonly name: string;
  /** This level and all above it. */
  readonly secrecy: Secrecy;
  readonly sinks: readonly Sink[];
  /**
   * `value`: the data itself, or a coding of it, is in the call; `session`: it was read in this session, and the call
   * carries text that nobody can tell apart from a rewording of it.
   */
  readonly when: 'value' | 'session';
  readonly decision: Decision;
}
