import type { Readable, Writable } from 'node:stream';
import type { Clock, IdSource } from '@bulkhead/protocol';

/** The process as far as a command may know it. Tests bring their own. */
export interface Environment {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the folder the command was started in. */
  readonly cwd: string;
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly clock: Clock;
  readonly newId: IdSource;
  /**
   * Calls `listener` at every Ctrl-C or request to end, until disposed. Without one, the process
   * ends.
   */
  onInterrupt(listener: () => void): Disposable;
  /** True if the streams are those of this process: a screen can be drawn on its terminal. */
  readonly ownsTerminal?: true;
  /** Bundles beside this one: processes to start, and code to load on demand. */
  readonly entries: { readonly supervisor: URL; readonly engine: URL; readonly acp: URL };
}

export type InputStream = Readable & {
  readonly isTTY?: boolean;
  setRawMode?(raw: boolean): unknown;
};

export type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** True if a screen can be drawn: the terminal belongs to this process and can move its cursor. */
export function hasScreen({ stdin, stdout, env, ownsTerminal }: Environment): boolean {
  const isTerminal = stdin.isTTY === true && stdout.isTTY === true;
  return ownsTerminal === true && isTerminal && env['TERM'] !== 'dumb';
}

/** True if a person can read questions and answer them. */
export function hasPerson(environment: Environment): boolean {
  return environment.stdin.isTTY === true && environment.stderr.isTTY === true;
}
