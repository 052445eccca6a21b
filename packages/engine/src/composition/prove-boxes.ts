import type { BoxLimits } from '../processes/box-limits.ts';
import type { SelfProbe } from '../processes/self-probe.ts';
import { openGround } from './open-ground.ts';
import { openSandbox, type ProvenSandbox } from './open-sandbox.ts';
import { openWithoutBoxes, type Unboxed } from './open-without-boxes.ts';
import { tryWorker } from './try-processes.ts';

/** The sandbox of an engine, and what every process that starts in it has to show of its own box. */
export interface ProvenBoxes extends AsyncDisposable {
  readonly proven: ProvenSandbox | Unboxed;
  /** `unboxed` only if a person asked for no sandbox: then there is nothing to show. */
  selfProbe(kind: 'agent' | 'worker', thorough: boolean): SelfProbe | 'unboxed';
  /** Starts a worker as workers are started and has it attack its box; the first agent does so of itself. */
  tryWorker(): Promise<void>;
}

/**
 * Attacks every kind of box from inside, by the launcher's own calls and by processes as they will run, or, if a person
 * said so, makes none.
 *
 * @param parts.run private folder of this engine's life
 * @throws BulkheadError `sandbox_unavailable` naming what does not hold; nothing is left open then
 */
export async function proveBoxes(parts: {
  readonly dist: string;
  readonly nodePath: string;
  readonly home: string;
  readonly run: string;
  readonly limits: BoxLimits;
  readonly insecureNoSandbox: boolean;
}): Promise<ProvenBoxes> {
  const { dist, nodePath, home, run, limits } = parts;
  if (parts.insecureNoSandbox) {
    const proven = await openWithoutBoxes(dist, nodePath, run);
    return {
      proven,
      selfProbe: () => 'unboxed',
      tryWorker: async () => {},
      [Symbol.asyncDispose]: async () => {},
    };
  }
  await using opened = new AsyncDisposableStack();
  const opening = openGround({ dist, nodePath, folder: `${run}/ground` });
  const proven = await openSandbox(dist, nodePath, run).finally(() => opening.catch(() => {}));
  const ground = opened.use(await opening);
  const { nameSpaces } = proven;
  const kept = opened.move();
  return {
    proven,
    selfProbe: (kind, thorough) => ({ ground, nameSpaces: nameSpaces[kind], thorough }),
    tryWorker: () => tryWorker({ ...proven, ground, dist, nodePath, home, limits, folder: `${run}/trial` }),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
