import type { Check } from './check.ts';
import { runDoctor } from './run-doctor.ts';
import { runningEngineCheck } from './running-engine.ts';

/** Checks the engine's machine, home and settings for clients. One check runs at a time. */
export class DoctorService implements Disposable {
  readonly #run: (signal: AbortSignal) => Promise<readonly Check[]>;
  readonly #sandbox: string;
  readonly #end = new AbortController();
  #running: Promise<readonly Check[]> | undefined;

  /**
   * @param parts.sandbox of this engine, as in its status
   * @param parts.run runs the checks; by default in a process of the engine's bundle
   */
  constructor(parts: {
    readonly sandbox: 'on' | 'off';
    readonly run: (signal: AbortSignal) => Promise<readonly Check[]>;
  }) {
    this.#run = parts.run;
    this.#sandbox = parts.sandbox;
  }

  /** A call during a check gets the same report. @throws BulkheadError if there was no report */
  async run(): Promise<readonly Check[]> {
    this.#running ??= this.#run(this.#end.signal).finally(() => {
      this.#running = undefined;
    });
    const running = runningEngineCheck(this.#sandbox);
    return [...(await this.#running), ...(running === undefined ? [] : [running])];
  }

  [Symbol.dispose](): void {
    this.#end.abort();
  }
}

/** The checks of the engine's own bundle, as in `bulkhead doctor`. */
export function ownDoctor(parts: {
  readonly dist: string;
  readonly nodePath: string;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}): (signal: AbortSignal) => Promise<readonly Check[]> {
  const { dist, nodePath, home, environment } = parts;
  return (signal) =>
    runDoctor({
      nodePath,
      engine: `${dist}/engine.js`,
      environment: { ...environment, BULKHEAD_HOME: home },
      signal,
    });
}
