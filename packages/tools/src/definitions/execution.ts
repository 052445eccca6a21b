import type { OneRequest } from '../egress/exchange.ts';
import type { Redirects } from '../egress/redirect.ts';

/** The place in the engine that executes the calls of a tool, if no worker does. */
export type HostKind = 'shell' | 'web' | 'processes' | 'results' | 'memory';

/** One call as its host executes it, with its parsed arguments bound. */
export type Execution =
  | ({ readonly host: 'shell' } & ShellRequest)
  | ({ readonly host: 'web' } & WebRequest)
  | { readonly host: 'processes'; run(commands: SessionCommands): Promise<string> }
  | { readonly host: 'results'; run(results: SessionResults): string }
  | { readonly host: 'memory'; run(memory: SessionMemory): Promise<string>; readonly note?: MemoryNote };

/** The execution of a call on one host. */
export type ExecutionOn<Host extends HostKind> = Extract<Execution, { readonly host: Host }>;

interface ShellRequest {
  readonly command: string;
  readonly timeoutSeconds: number;
  readonly hosts: readonly string[];
  readonly background: boolean;
  readonly live: boolean;
}

/** One request of a web tool, and how to handle its answer. */
interface WebRequest {
  readonly request: OneRequest;
  readonly redirects: Redirects;
  readonly timeoutMs: number;
  /** `page` makes readable text of HTML; `raw` keeps all text unchanged. */
  readonly as: 'page' | 'raw';
  readonly maxTextBytes: number;
  /** True if a failure must say whether the request may have arrived. */
  readonly mayTakeEffect: boolean;
}

/** A background command that runs, or has ended and has not been looked at since. */
export interface CommandStatus {
  readonly id: string;
  readonly command: string;
  /** Where its output is written. */
  readonly outputPath: string;
  /** Undefined while it runs. */
  readonly ended: string | undefined;
  /** Limits that its box could not enforce, as far as known: a clause each. */
  readonly remarks: readonly string[];
}

/** The background commands of the calling session. */
interface SessionCommands {
  list(): Promise<readonly CommandStatus[]>;
  /** @returns undefined if the session has none with that id */
  stop(id: string): Promise<CommandStatus | undefined>;
}

/** A part of a longer text. */
export interface TextPiece {
  readonly text: string;
  /** The offset behind it. */
  readonly next: number;
  /** Of the whole text, in the unit of the offsets. */
  readonly size: number;
}

/** The results in the conversation of the calling session, and the kept outputs of its commands. */
interface SessionResults {
  /**
   * A part of a result by the id of its call, or of a kept output by the id in its notice.
   *
   * @throws BulkheadError `invalid_arguments` if there is neither
   */
  pieceOf(id: string, offset: number, limit: number): TextPiece;
}

/** A fact to remember. */
interface MemoryNote {
  readonly text: string;
  readonly target: 'memory' | 'daily' | 'user';
  /** Empty for none. */
  readonly heading: string;
  /** The line that it replaces; empty for none. */
  readonly replaces: string;
}

/** Memory, as far as the calling session may use it. */
interface SessionMemory {
  search(query: string, limit: number): Promise<string>;
  write(note: MemoryNote): Promise<string>;
}
