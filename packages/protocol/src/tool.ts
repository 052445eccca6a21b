import type { Action, EffectClass } from './action.ts';
import type { CommandEffects, EffectCounts, SettleCommand } from './command-effects.ts';
import type { ToolFlow } from './tool-annotation.ts';

/**
 * What the engine knows of a tool before it runs: enough to offer it to a model, to validate a call
 * and to derive the facts the judges need. How it acts is a separate thing (`ToolHost`).
 */
export interface ToolDescription {
  readonly name: string;
  /** For the model; part of every request, so short. */
  readonly description: string;
  readonly group: string;
  readonly readOnly: boolean;
  readonly effect: EffectClass;
  /** JSON Schema (2020-12 subset) of the arguments, for the model. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** What its calls do with data; absent where a person's `ifc.yaml` alone says it. */
  readonly flow?: ToolFlow;
  /** How clients draw its calls. */
  readonly card?: ToolCard;
  /** Who carries out its calls; absent, a worker. */
  readonly host?: string;
  /** True if its calls carry a shell command. */
  readonly runsCommand?: true;
  /** True if its calls may name hosts to connect to. */
  readonly usesNetwork?: true;
  /**
   * Strict parse of a call's arguments: once for each call, before it is judged. Every stage takes the result.
   * @throws BulkheadError `invalid_arguments`, with a message the model can act on
   */
  parse(input: unknown): ParsedCall;
}

/** A call's arguments as its tool accepts them, with the facts that follow from them. */
export interface ParsedCall {
  /** Plain data with defaults filled in and nothing unknown. */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly effect: EffectClass;
  /** Paths the arguments name, as written. */
  readonly paths: readonly ToolPath[];
  /** The shell command they carry, if the tool runs one. */
  readonly command?: string;
  /** Hosts they make the call connect to, in their one spelling, if the tool uses the network. */
  readonly hosts?: readonly string[];
  /** True if the command goes on after the call has ended, and writes the working folder itself. */
  readonly background?: true;
}

/** How a client draws the calls of a tool that it doesn't know. */
export interface ToolCard {
  readonly kind: CallKind;
  /** What its result lists, one and many; absent, lines. */
  readonly counts?: readonly [one: string, many: string];
  /** Names of the arguments with a text and the text that takes its place, if a call changes a file by them. */
  readonly replaced?: string;
  readonly replacement?: string;
}

/** What kind of work a call is. */
export type CallKind = 'read' | 'search' | 'edit' | 'execute' | 'fetch' | 'other';

/** An action that its tool accepts: parsed once, judged, and carried out as it was parsed. */
export interface AcceptedCall extends Action {
  readonly parsed: ParsedCall;
  readonly card?: ToolCard;
}

export interface ToolPath {
  readonly path: string;
  readonly access: 'read' | 'write';
}

/** What a call gave. */
export interface ToolResult {
  /** For the model. */
  readonly text: string;
  readonly isError: boolean;
  /** For the person watching, where it differs from `text`: a diff, for instance. */
  readonly display?: string;
  /** True if the run may end after this batch without another model round. */
  readonly terminate?: boolean;
  /** What a command did to its folder, where it ran as a transaction and came to its end. */
  readonly effects?: EffectCounts;
}

/** Partial output, in order, before the result. */
export type ToolUpdate = (text: string) => void;

/** One file a call would change. A hash is SHA-256, 64 hex digits; null where there is no file. */
export interface FileChange {
  /** As the call's arguments name it. */
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** What a call would do. */
export interface ToolPlan {
  /** For model and person: a sentence, and a diff where there is one. */
  readonly text: string;
  /** True if the call would fail. */
  readonly isError: boolean;
  /** Every file it would change; empty where that can't be told. */
  readonly changes: readonly FileChange[];
  /** What a command did when it was tried, if it did anything. */
  readonly effects?: CommandEffects;
}

/** A file as it is now. */
export interface FileState {
  readonly path: string;
  /** Null if there is none; undefined if it can't be told (a folder, a device, no permission). */
  readonly hash: string | null | undefined;
}

/** Runs judged calls somewhere: in a worker, in a box. Never throws for a tool's own failure. */
export interface ToolHost {
  /** True if a call leaves nothing behind that was not settled, unless its action has another way out. */
  readonly transactions?: boolean;
  /**
   * Absolute: the folder its calls change, where that is not the session's working folder. `plan` then tells all that a call
   * would change, by paths below this folder, and `execute` changes nothing else.
   */
  readonly folder?: string;
  /**
   * @param call the parsed arguments and the exact bytes that were judged
   * @param update receives partial output while the call runs
   * @param signal aborts the call; the host kills what it started and returns an error result
   * @param settle asked by a host whose call is a transaction, before it keeps any effect; absent, nothing is kept
   */
  execute(
    call: ToolHostCall,
    update: ToolUpdate,
    signal: AbortSignal,
    settle?: SettleCommand,
  ): Promise<ToolResult>;
  /** Says what `execute` would do; leaves nothing done [A5]. A command is tried, and what it changed thrown away. */
  plan(call: ToolHostCall, signal: AbortSignal): Promise<ToolPlan>;
  /**
   * The state of the paths an earlier call named: whether it took effect [T8]. What that call left half written beside them is
   * removed first, so that it can take no effect later. Rejects if nobody can look.
   */
  inspect(
    where: Pick<ToolHostCall, 'actionId' | 'sessionId' | 'workingFolder'> & {
      readonly paths: readonly string[];
    },
    signal: AbortSignal,
  ): Promise<readonly FileState[]>;
}

export interface ToolHostCall {
  readonly actionId: string;
  readonly sessionId: string;
  readonly tool: string;
  /** The exact bytes that were judged. */
  readonly canonicalArguments: string;
  /** What these bytes say, as the tool's own parse gave it: a host in the engine parses nothing again. */
  readonly parsed: ParsedCall;
  readonly workingFolder: string;
}
