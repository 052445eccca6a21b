import { mkdtemp } from 'node:fs/promises';
import { Duplex } from 'node:stream';
import type { Sandbox, ShellBox } from '@bulkhead/sandbox';

/** A command whose changes are held back, and what becomes of them. */
export interface Transaction {
  readonly view: 'overlay' | 'copy';
  readonly verdict: 'commit' | 'drop';
}

/** What the launcher says last. */
const ANSWERS = { commit: 'committed\0', drop: 'dropped\0' } as const;

/**
 * From the call until the launcher says that the command's changes, none here, are in place or gone.
 *
 * @param program that changes nothing, with `version` as its argument
 * @param scratchFolder where each command gets a folder of its own
 * @returns milliseconds
 */
export async function transactionMs(
  { view, verdict }: Transaction,
  box: ShellBox,
  sandbox: Sandbox,
  { program, scratchFolder }: { readonly program: string; readonly scratchFolder: string },
): Promise<number> {
  const overlay = await mkdtemp(`${scratchFolder}/scratch-`);
  const begin = performance.now();
  const child = sandbox.launch(
    { ...box, overlay, copy: view === 'copy' },
    {
      file: program,
      args: ['version'],
      cwd: box.workingFolder,
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    },
  );
  const control = child.stdio[3];
  if (!(control instanceof Duplex)) throw new Error('a boxed command has no control channel');
  let said = '';
  let ended = 0;
  for await (const bytes of control) {
    said += String(bytes);
    if (said.endsWith('effects 0\0')) control.write(`${verdict}\n`);
    if (said.endsWith(ANSWERS[verdict])) ended = performance.now() - begin;
  }
  if (ended === 0) throw new Error(`a command on ${view} had no end by ${verdict}: ${said}`);
  return ended;
}
