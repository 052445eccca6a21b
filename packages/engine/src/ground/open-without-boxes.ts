import type { CommandBox } from '@bulkhead/processes/boxes/command-box';
import { BulkheadError } from '@bulkhead/protocol';
import { createOpenSandbox } from '@bulkhead/sandbox';
import { openSandbox, type ProvenSandbox } from './open-sandbox.ts';

/** A sandbox without boxes, with the result of testing them, for the records. */
export interface Unboxed extends ProvenSandbox {
  readonly boxes: 'off';
  /** Result of the box tests on this machine, in one line. */
  readonly wouldHave: string;
}

/**
 * The sandbox of `--insecure-no-sandbox`: none. The boxes are tested all the same, so that the log
 * shows whether the option was needed.
 */
export async function openWithoutBoxes(dist: string, nodePath: string, scratch: string): Promise<Unboxed> {
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
