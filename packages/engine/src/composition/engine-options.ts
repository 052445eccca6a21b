import type { Clock, MachineClock } from '@bulkhead/protocol';

/** Options of the engine from its process. */
export interface EngineOptions {
  /** `BULKHEAD_HOME`, absolute. */
  readonly home: string;
  /** Folder of the bundles. */
  readonly dist: string;
  readonly nodePath: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** No HTTP port. */
  readonly isolated: boolean;
  /** `--insecure-no-sandbox`: the user disabled all boxes for this start. */
  readonly insecureNoSandbox: boolean;
  /** The supervisor already ran an engine on this home: a missing home is not created again. */
  readonly restarted: boolean;
  readonly clock: Clock;
  readonly machine: MachineClock;
  readonly supervisorPid: number;
  /** Passes keys to the supervisor for the environment of the next engine. */
  keepKeys(keys: Readonly<Record<string, string>>): void;
  /** Called when a client asks the engine to stop. */
  stop(restart: boolean): void;
}
