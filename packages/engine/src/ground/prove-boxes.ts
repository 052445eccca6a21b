import type { SelfProbe } from '@bulkhead/processes/spawn/self-probe';
import { openGround } from './open-ground.ts';
import { openSandbox, type ProvenSandbox } from './open-sandbox.ts';
import { openWithoutBoxes, type Unboxed } from './open-without-boxes.ts';

/** The sandbox of an engine, and what every process that starts in it has to show of its own box. */
export interface ProvenBoxes extends AsyncDisposable {
  readonly proven: ProvenSandbox | Unboxed;
  /** `unboxed` only if a person asked for no sandbox: then there is nothing to show. */
  selfProbe(kind: 'agent' | 'worker', thorough: boolean): SelfProbe | 'unboxed';
  /** Rejected if an attempt proves nothing: it fails without a box, too. Nothing is told to a boxed process before. */
  readonly controlled: Promise<void>;
}

/**
 * Attacks every kind of box from inside, by the launcher's own calls, or, if a person said so, makes none. The attempts of
 * processes as they will run are made by themselves, when they start.
 *
 * @param parts.run private folder of this engine's life
 * @param parts.underWay called when every process that takes part has started, unless one can't be
 * @throws BulkheadError `sandbox_unavailable` naming what does not hold; nothing is left open then
 */
export async function proveBoxes(parts: {
  readonly dist: string;
  readonly nodePath: string;
  readonly run: string;
  readonly insecureNoSandbox: boolean;
  underWay(): void;
}): Promise<ProvenBoxes> {
  const { dist, nodePath, run } = parts;
  if (parts.insecureNoSandbox) {
    parts.underWay();
    const proven = await openWithoutBoxes(dist, nodePath, run);
    return {
      proven,
      selfProbe: () => 'unboxed',
      controlled: Promise.resolve(),
      [Symbol.asyncDispose]: async () => {},
    };
  }
  await using opened = new AsyncDisposableStack();
  const opening = openGround({ dist, nodePath, folder: `${run}/ground` });
  const attacked = Promise.withResolvers<void>();
  // Whoever can't be started is told by the one that is awaited.
  Promise.all([opening, attacked.promise]).then(parts.underWay, () => {});
  const proven = await openSandbox(dist, nodePath, run, attacked.resolve).catch(async (error: unknown) => {
    await opening.then(
      (ground) => ground[Symbol.asyncDispose](),
      () => {},
    );
    throw error;
  });
  const { ground, controlled } = opened.use(await opening);
  const { nameSpaces } = proven;
  const kept = opened.move();
  return {
    proven,
    selfProbe: (kind, thorough) => ({ ground, nameSpaces: nameSpaces[kind], thorough }),
    controlled,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
