import type { Decision, Secrecy, Sink, ToolAnnotations } from '@bulkhead/protocol';
import type { Glob } from '../patterns/glob.ts';

/** The origin of a value: the user's own word, the working folder, or anyone. */
export type Trust = (typeof TRUST_LEVELS)[number];

export const TRUST_LEVELS = ['user', 'workspace', 'external'] as const;

/**
 * The content of an `ifc.yaml`: the tools, sources of labels, and the levels allowed at each sink.
 */
export interface FlowPolicy {
  readonly version: 1;
  /** `audit` records the decisions, and stops nothing. */
  readonly mode: 'enforce' | 'audit';
  readonly tools: ToolAnnotations;
  /** The file that annotates a tool, by name of the tool. */
  readonly origins: ReadonlyMap<string, string>;
  /** Further sets of tools whose names may repeat, by name of the set. */
  readonly scopes: ReadonlyMap<string, ToolAnnotations>;
  readonly sources: readonly SourceRule[];
  readonly rules: readonly SinkRule[];
}

/** Labels data from a source. All given conditions must hold; within a list, one is enough. */
export interface SourceRule {
  readonly name: string;
  readonly match: {
    readonly tool?: readonly string[] | undefined;
    readonly path?: readonly Glob[] | undefined;
    readonly host?: readonly string[] | undefined;
    /** The sender of a single message in a tool's result. */
    readonly sender?: readonly Glob[] | undefined;
  };
  readonly secrecy?: Secrecy | undefined;
  readonly trust?: Trust | undefined;
}

/** The decision for data of a level at a sink. The first matching rule decides; none: allow. */
export interface SinkRule {
  readonly name: string;
  /** This level and all above it. */
  readonly secrecy: Secrecy;
  readonly sinks: readonly Sink[];
  /**
   * `value`: the call contains the data itself, or an encoding of it; `session`: the session read
   * it, and the call carries text that may reword it.
   */
  readonly when: 'value' | 'session';
  readonly decision: Decision;
}
