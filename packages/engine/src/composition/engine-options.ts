import type { Clock, MachineClock } from '@bulkhead/protocol';

/** What the engine is given by its process. */
export interface EngineOptions {
  /** `BULKHEAD_HOME`, absolute. */
  readonly home: string;
  /** Folder of the bundles. */
  readonly dist: string;
  readonly nodePath: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** No HTTP port. */
  readonly isolated: boolean;
  /** `--insecure-no-sandbox`: a person said, for this very start, that nothing is boxed. */
  readonly insecureNoSandbox: boolean;
  /** The supervisor had an engine on this home before: it is never made anew then. */
  readonly restarted: boolean;
  readonly clock: Clock;
  readonly machine: MachineClock;
  readonly supervisorPid: number;
  /** Tells the supervisor of keys that the next engine shall find in its environment. */
  keepKeys(keys: Readonly<Record<string, string>>): void;
  /** A client asked for the end. */
  stop(restart: boolean): void;
}
