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
  /** The arguments as JSON, as they were proposed: only there a key can be seen twice. */
  readonly json?: string;
}

/** Judges a shell command: `analyseCommand` of the analysis of commands, with place and options bound. */
export type CommandJudge = (command: string) => readonly Finding[];

export interface ArgumentOptions {
  readonly preset: PresetName;
  /** The user's message that started the run. Its words release what a person would only be asked to confirm. */
  readonly request?: string;
  /** JSON Schema of the arguments, as tools describe them; without it only names are compared with the annotation. */
  readonly inputSchema?: Readonly<Record<string, unknown>>;
  /** Absent, a call with a command in it is never allowed. */
  readonly judgeCommand?: CommandJudge;
}

/** What every rule is given. */
export interface ArgumentContext {
  readonly call: JudgedCall;
  readonly annotation: ToolAnnotation;
  readonly options: ArgumentOptions;
  /** True if what the call carries leaves this machine, or reaches somebody. */
  readonly outgoing: boolean;
}
