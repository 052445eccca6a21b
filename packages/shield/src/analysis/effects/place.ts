/**
 * The part of the machine where a path lies. `stream` is not a file: the null device, a descriptor,
 * a terminal.
 */
export type Zone = 'working' | 'temporary' | 'home' | 'system' | 'root' | 'elsewhere' | 'unknown' | 'stream';

/**
 * The meaning of a path beyond its location.
 *
 * - `credentials`: intended for keys, passwords or tokens; `possible-credentials`: often holds them
 * - `private`: a person's own documents, mail, messages, browsing
 * - `startup`: runs or applies automatically; `commands`: folders where programs are looked up
 * - `caches`: what programs fetch or compute again
 * - `security`: defines permissions; `accounts`: the list of accounts
 * - `logs`, `history`: records of past actions
 * - `devices`: raw disks and memory; `kernel`: switches of the running system
 * - `sockets`: control of another service of this machine
 * - `own`: Bulkhead's own files; `hooks`: programs that git runs automatically, which the engine
 * never hides from a command
 */
export type Overlay =
  | 'credentials'
  | 'possible-credentials'
  | 'private'
  | 'startup'
  | 'commands'
  | 'caches'
  | 'security'
  | 'accounts'
  | 'logs'
  | 'history'
  | 'devices'
  | 'kernel'
  | 'sockets'
  | 'own'
  | 'hooks';

/** The place of a path, as far as it is known. */
export interface Place {
  readonly zone: Zone;
  readonly overlays: readonly Overlay[];
  /** True for a place with nearly all of its zone: `/`, `/usr`, the home, or all their entries. */
  readonly wide: boolean;
  /** For people: absolute, with `*` for unknown parts. */
  readonly path: string;
}
