import type { ToolAnnotation } from '@bulkhead/protocol';
import type { PresetName } from '../../policy/presets.ts';
import type { Finding } from '../effects/finding.ts';

/** A call as the analysis of arguments needs it; an `Action` has all of it. */
export interface JudgedCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Absolute. */
  readonly workingFolder: string;
  /** The home of the person the agent works for, absolute. */
  readonly home: string;
  /** The arguments as proposed JSON: only there are doubled keys visible. */
  readonly json?: string;
}

/**
 * Judges a shell command: `analyseCommand` of the analysis of commands, with place and options
 * bound.
 */
export type CommandJudge = (command: string) => readonly Finding[];

export interface ArgumentOptions {
  readonly preset: PresetName;
  /**
   * The user's message that started the run. It releases effects that would otherwise only need a
   * person's confirmation.
   */
  readonly request?: string;
  /**
   * JSON Schema of the arguments, from the tool's description; without it only names are compared
   * with the annotation.
   */
  readonly inputSchema?: Readonly<Record<string, unknown>>;
  /** Absent, a call with a command in it is never allowed. */
  readonly judgeCommand?: CommandJudge;
}

/** The input of every rule. */
export interface ArgumentContext {
  readonly call: JudgedCall;
  readonly annotation: ToolAnnotation;
  readonly options: ArgumentOptions;
  /** True if the call's data leaves this machine, or reaches another person. */
  readonly outgoing: boolean;
}
