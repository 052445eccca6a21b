/** Which part of the machine a path lies in. `stream` is no file: the null device, a descriptor, a terminal. */
export type Zone = 'working' | 'temporary' | 'home' | 'system' | 'root' | 'elsewhere' | 'unknown' | 'stream';

/**
 * What a path means beyond where it lies.
 *
 * - `credentials`: made to hold keys, passwords or tokens; `possible-credentials`: often does
 * - `private`: a person's own documents, mail, messages, browsing
 * - `startup`: run or obeyed without being asked, once or on a schedule; `commands`: where programs are looked up
 * - `security`: decides who may do what; `accounts`: the list of accounts
 * - `logs`, `history`: the traces of what was done
 * - `devices`: disks and memory as such; `kernel`: switches of the running system
 * - `sockets`: ways to command another service of this machine
 * - `own`: Bulkhead's own files; `hooks`: programs that git runs by itself, which the engine never keeps from a command
 */
export type Overlay =
  | 'credentials'
  | 'possible-credentials'
  | 'private'
  | 'startup'
  | 'commands'
  | 'security'
  | 'accounts'
  | 'logs'
  | 'history'
  | 'devices'
  | 'kernel'
  | 'sockets'
  | 'own'
  | 'hooks';

/** Where a path leads, as far as it is known. */
export interface Place {
  readonly zone: Zone;
  readonly overlays: readonly Overlay[];
  /** True for a place that holds nearly all of its zone: `/`, `/usr`, the home, everything in one of them. */
  readonly wide: boolean;
  /** For people: absolute, with `*` for what is not known. */
  readonly path: string;
}
