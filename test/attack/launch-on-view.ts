import type { ChildProcess } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { Duplex } from 'node:stream';
import type { Box, BoxedProgram, Sandbox, SessionSpaces } from '@bulkhead/sandbox';

/** The view of a shell box: the folder itself, or a view whose changes are dropped at the end. */
export const shellViews = ['live', 'overlay', 'copy'] as const;
export type ShellView = (typeof shellViews)[number];

/** Where a shell box is made. */
export interface ShellPlace {
  readonly view: ShellView;
  /** Existing, on the file system of the working folder: each launch gets a scratch folder in it. */
  readonly folder: string;
  /** Of an overlay: what its command leaves goes on, so the box has the processes that help it. */
  readonly session: SessionSpaces | undefined;
}

/**
 * Launches as the product does for that view; other boxes have none. Descriptors are as in a real
 * launch.
 */
export function launchOnView(
  sandbox: Sandbox,
  box: Box,
  program: Omit<BoxedProgram, 'stdio'>,
  { view, folder, session }: ShellPlace,
): ChildProcess {
  const outputs = ['ignore', 'pipe', 'pipe'] as const;
  if (box.kind !== 'shell' || view === 'live') {
    // A live shell command has no channel; agents and workers have theirs.
    const stdio = [...outputs, ...(box.kind === 'shell' ? [] : (['pipe'] as const))];
    return sandbox.launch(box, { ...program, stdio });
  }
  const overlay = mkdtempSync(`${folder}/scratch-`);
  const child = sandbox.launch(
    { ...box, overlay, copy: view === 'copy', ...(session === undefined ? {} : { session, leave: true }) },
    { ...program, stdio: [...outputs, 'pipe'] },
  );
  const control = child.stdio[3];
  if (!(control instanceof Duplex)) throw new Error('a boxed command has no control channel');
  let said = '';
  control.on('error', () => {});
  control.on('data', (bytes: Buffer) => {
    said = said.slice(-32) + bytes.toString('latin1');
    if (/(^|\0)effects \d+\0/.test(said)) control.end('drop\n');
  });
  return child;
}
