import type { CommandBox } from '@bulkhead/processes/boxes/command-box';
import type { SelfProbe } from '@bulkhead/processes/spawn/self-probe';
import { BulkheadError } from '@bulkhead/protocol';
import { createOpenSandbox } from '@bulkhead/sandbox';
import { openGround } from './open-ground.ts';
import { openSandbox, type ProvenSandbox } from './open-sandbox.ts';

/**
 * The sandbox of an engine, and the proof that every process in it has to give about its own box.
 */
export interface ProvenBoxes extends AsyncDisposable {
  readonly proven: ProvenSandbox | Unboxed;
  /** `unboxed` only if the user disabled the sandbox: then no proof is needed. */
  selfProbe(kind: 'agent' | 'worker', thorough: boolean): SelfProbe | 'unboxed';
  /**
   * Rejected if an attempt proves nothing because it fails without a box, too. No boxed process
   * receives any data before.
   */
  readonly controlled: Promise<void>;
}

/**
 * Attacks every kind of box from inside, by the launcher's own calls; makes no boxes if the user
 * disabled them. Real processes make their own attempts when they start.
 *
 * @param parts.run private folder of this engine process
 * @param parts.underWay called when every process that takes part has started, unless one can't
 *   start
 * @throws BulkheadError `sandbox_unavailable` naming the failed checks; nothing is left open then
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
  // The awaited promise reports a failed start.
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

/** A sandbox without boxes, with the result of testing them, for the records. */
interface Unboxed extends ProvenSandbox {
  readonly boxes: 'off';
  /** Result of the box tests on this machine, in one line. */
  readonly wouldHave: string;
}

/**
 * The sandbox of `--insecure-no-sandbox`: none. The boxes are tested all the same, so that the log
 * shows whether the option was needed.
 */
async function openWithoutBoxes(dist: string, nodePath: string, scratch: string): Promise<Unboxed> {
  const sandbox = createOpenSandbox({ scratch });
  const wouldHave = await openSandbox(dist, nodePath, scratch).then(
    ({ report }) =>
      report.ok ? 'every box would hold here' : 'only the box of shell commands would not hold here',
    (cause: unknown) => BulkheadError.from(cause).message,
  );
  const nameSpaces = { agent: false, worker: false };
  const commandBox: CommandBox = {
    kind: 'insecure',
    launch: (box, program) => sandbox.launch(box, program),
    // Analysis and flow evaluate commands as if boxed.
    asks: {
      reason: 'it runs in no box, with all your rights: the engine was started with --insecure-no-sandbox',
      rule: 'commands/insecure',
    },
  };
  return { sandbox, report: await sandbox.probe(), nameSpaces, boxes: 'off', commandBox, wouldHave };
}
