import type { Check } from './check.ts';
import { runDoctor } from './run-doctor.ts';
import { runningEngineCheck } from './running-engine.ts';

/** Lets people have the engine's own machine, home and settings checked. One check is under way at a time. */
export class DoctorService implements Disposable {
  readonly #run: (signal: AbortSignal) => Promise<readonly Check[]>;
  readonly #sandbox: string;
  readonly #end = new AbortController();
  #running: Promise<readonly Check[]> | undefined;

  /**
   * @param parts.sandbox of this engine, as its status says
   * @param parts.run does the checks; by default a process of the engine's bundle
   */
  constructor(parts: {
    readonly sandbox: 'on' | 'off';
    readonly run: (signal: AbortSignal) => Promise<readonly Check[]>;
  }) {
    this.#run = parts.run;
    this.#sandbox = parts.sandbox;
  }

  /** Who asks while checks are under way gets what they find. @throws BulkheadError if there was no report */
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

/** The checks of the engine's own bundle, as `bulkhead doctor` has them. */
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
