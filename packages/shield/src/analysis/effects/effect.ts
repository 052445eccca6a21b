import type { Labels } from './labels.ts';
import type { Place } from './place.ts';

/**
 * The action of an effect, independent of spelling.
 *
 * - `read`, `write`, `delete`, `change` (mode, owner, time), `search`: files
 * - `execute`: a program by its path; `evaluate`: text as code; `compute`: a command whose name is
 * not known
 * - `fetch`, `send`, `connect`, `listen`: the network
 * - `administer`: a separate power, named by `kind`
 * - `disclose`: shows data with its labels to the readers of the output
 */
export type Verb =
  | 'read'
  | 'write'
  | 'delete'
  | 'change'
  | 'search'
  | 'execute'
  | 'evaluate'
  | 'compute'
  | 'fetch'
  | 'send'
  | 'connect'
  | 'listen'
  | 'administer'
  | 'disclose';

/** One effect: verb, target, and labels of the data. */
export interface Effect {
  readonly verb: Verb;
  /** Of file verbs, and of programs run by path. */
  readonly place?: Place;
  /** A class of administration, or a finer kind of the verb. */
  readonly kind?: string;
  /** Of the data that is written, sent or run. */
  readonly labels: Labels;
  /** For people: the path, host, program or text. */
  readonly object: string;
}
