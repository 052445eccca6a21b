import { mkdirSync, rmSync } from 'node:fs';
import type { CommandView } from '@bulkhead/processes/transactions/command-view';
import { CommandViews } from '@bulkhead/processes/transactions/command-views';
import type { Sandbox } from '@bulkhead/sandbox';

/**
 * The view of commands in folders on the disk of Bulkhead's home. Other folders are tested before a
 * command runs there.
 *
 * @param folder absolute, in the home; made for the trial, and removed
 */
export async function usualView(sandbox: Pick<Sandbox, 'launch'>, folder: string): Promise<CommandView> {
  const [work, scratch] = [`${folder}/work`, `${folder}/scratch`];
  rmSync(folder, { recursive: true, force: true });
  for (const path of [work, scratch]) mkdirSync(path, { recursive: true, mode: 0o700 });
  try {
    return await new CommandViews(scratch, sandbox).of(work);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
