import { existsSync } from 'node:fs';
import { diskReason } from '@bulkhead/home/storage/disk-reason';
import { diskFix } from '@bulkhead/home/storage/storage';
import { writeProbe } from '@bulkhead/home/storage/write-probe';
import { BulkheadError, type HomeLayout } from '@bulkhead/protocol';

type Probe = (folder: string) => Promise<void>;

/**
 * Writes and flushes a small file in the home, as the engine does before it resumes work after a
 * disk failure. A second name of the home's disk is not checked.
 *
 * @throws BulkheadError `store_failed` with the reason and the remedy
 */
export async function diskReport({ root, run }: HomeLayout, probe: Probe = writeProbe): Promise<string> {
  try {
    await probe(existsSync(run) ? run : root);
    return `${root} can be written`;
  } catch (cause) {
    const reason = diskReason(cause);
    const what = `${root} can't be written: ${reason ?? BulkheadError.from(cause).message}`;
    throw new BulkheadError('store_failed', what, {
      fix: reason === undefined ? 'Give yourself the right to write there.' : diskFix(reason),
      cause,
    });
  }
}

export async function canWrite(folder: string, probe: Probe = writeProbe): Promise<boolean> {
  try {
    await probe(folder);
    return true;
  } catch {
    return false;
  }
}
