import type { Action, EffectClass } from './action.ts';
import type { CommandEffects, EffectCounts, SettleCommand } from './command-effects.ts';
import type { Need, ShownFolder } from './need.ts';
import type { Origin } from './origin.ts';
import type { ToolFlow } from './tool-annotation.ts';

/**
 * Facts about a tool for the engine, before it runs: enough to offer it to a model, to validate a
 * call and to derive facts for the judges. Its execution is separate (`ToolHost`).
 */
export interface ToolDescription {
  readonly name: string;
  /** For the model; part of every request, so keep it short. */
  readonly description: string;
  readonly group: string;
  readonly readOnly: boolean;
  readonly effect: EffectClass;
  /** JSON Schema (2020-12 subset) of the arguments, for the model. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** The data flow of its calls; absent if only the user's `ifc.yaml` defines it. */
  readonly flow?: ToolFlow;
  /** How clients draw its calls. */
  readonly card?: ToolCard;
  /** The host that executes its calls; absent: a worker. */
  readonly host?: string;
  /** True if its calls carry a shell command. */
  readonly runsCommand?: true;
  /** True if its calls may name hosts to connect to. */
  readonly usesNetwork?: true;
  /**
   * Parses a call's arguments strictly: once for each call, before it is judged. Every stage uses
   * the result.
   * @throws BulkheadError `invalid_arguments`, with a message the model can act on
   */
  parse(input: unknown): ParsedCall;
}

/** A call's arguments in the form that its tool accepts, with the facts derived from them. */
export interface ParsedCall {
  /** Plain data with defaults filled in and no unknown members. */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly effect: EffectClass;
  /** Paths in the arguments, unchanged. */
  readonly paths: readonly ToolPath[];
  /** The shell command in them, if the tool runs one. */
  readonly command?: string;
  /** Hosts that the call connects to, in canonical spelling, if the tool uses the network. */
  readonly hosts?: readonly string[];
  /** Files with credentials, by paths below the working folder, that the command is to read. */
  readonly secretFiles?: readonly string[];
  /** True if the command continues after the call has ended. */
  readonly background?: true;
  /** True if it is to see and write the working folder directly meanwhile. */
  readonly live?: true;
}

/** How a client draws the calls of an unknown tool. */
export interface ToolCard {
  readonly kind: CallKind;
  /** Names of the listed items in its result, singular and plural; absent: lines. */
  readonly counts?: readonly [one: string, many: string];
  /** Names of the arguments with the old and the new text, if a call edits a file with them. */
  readonly replaced?: string;
  readonly replacement?: string;
}

/** Kind of work of a call. */
export type CallKind = 'read' | 'search' | 'edit' | 'execute' | 'fetch' | 'other';

/** An action that its tool accepts: parsed once, judged, and executed in the parsed form. */
export interface AcceptedCall extends Action {
  readonly parsed: ParsedCall;
  readonly card?: ToolCard;
}

export interface ToolPath {
  readonly path: string;
  readonly access: 'read' | 'write';
}

/** The result of a call. */
export interface ToolResult {
  /** For the model. */
  readonly text: string;
  readonly isError: boolean;
  /** For the user, if it differs from `text`: a diff, for example. */
  readonly display?: string;
  /** True if the run may end after this batch without another model round. */
  readonly terminate?: boolean;
  /** A command's effects on its folder, if it ran as a transaction and ended normally. */
  readonly effects?: EffectCounts;
  /** The permissions that a failed command lacked. */
  readonly needs?: readonly Need[];
  /** `host:port` of each server that a command reached. */
  readonly reached?: readonly string[];
  /** The background command by which this one, or a process of it, goes on with a view of its own. */
  readonly goesOn?: string;
}

/** Partial output, in order, before the result. */
export type ToolUpdate = (text: string) => void;

/** One file a call would change. A hash is SHA-256, 64 hex digits; null without a file. */
export interface FileChange {
  /** Path in the call's arguments. */
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** The planned effects of a call. */
export interface ToolPlan {
  /** For model and user: a sentence, and a diff if there is one. */
  readonly text: string;
  /** True if the call would fail. */
  readonly isError: boolean;
  /** Every file it would change; empty if that is unknown. */
  readonly changes: readonly FileChange[];
  /** The effects of a command's trial, if any. */
  readonly effects?: CommandEffects;
}

/** Present state of a file. */
export interface FileState {
  readonly path: string;
  /** Null if there is none; undefined if unknown (a folder, a device, no permission). */
  readonly hash: string | null | undefined;
}

/**
 * Runs judged calls in some place: in a worker, in a box. Never throws for a tool's own failure.
 */
export interface ToolHost {
  /** True if a call leaves only committed effects, except through other ways out of its action. */
  readonly transactions?: boolean;
  /**
   * Absolute: the folder its calls change, if it is not the session's working folder. `plan` then
   * lists all changes of a call, by paths below this folder, and `execute` changes nothing else.
   */
  readonly folder?: string;
  /**
   * @param call the parsed arguments and the exact bytes that were judged
   * @param update receives partial output while the call runs
   * @param signal aborts the call; the host kills what it started and returns an error result
   * @param settle called by a host whose call is a transaction, before it commits any effect;
   *   absent: nothing is committed
   */
  execute(
    call: ToolHostCall,
    update: ToolUpdate,
    signal: AbortSignal,
    settle?: SettleCommand,
  ): Promise<ToolResult>;
  /**
   * Describes the effects of `execute` without leaving any [A5]. A command is run on trial, and its
   * changes discarded.
   */
  plan(call: ToolHostCall, signal: AbortSignal): Promise<ToolPlan>;
  /**
   * The state of the paths of an earlier call: shows whether it took effect [T8]. Half-written
   * files of that call are removed first, so that it can't take effect later. Rejects if the paths
   * can't be read.
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
  /**
   * The content of these bytes, from the tool's own parser: a host in the engine does not parse
   * again.
   */
  readonly parsed: ParsedCall;
  readonly workingFolder: string;
  /** `host:port` of each server that a command may reach besides its own hosts. */
  readonly granted?: readonly string[];
  /** Folders of programs that a command may read. */
  readonly toolchains?: readonly ShownFolder[];
  /** Files with credentials, by paths below the working folder, that a command may read. */
  readonly secretFiles?: readonly string[];
  /** Folders beside or around the working folder that it may read, or change as well. */
  readonly folders?: readonly ShownFolder[];
  /** Channel, chat and sender of the message whose run makes the call; absent where unknown [B1]. */
  readonly origin?: Origin;
}
