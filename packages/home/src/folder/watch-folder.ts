import { watch } from 'node:fs';
import type { Timers } from '@bulkhead/protocol';

/** What is watched, and how closely. Times in milliseconds. */
export interface WatchedFolder {
  readonly folder: string;
  /** With all that is below it. */
  readonly recursive: boolean;
  /** Editors write in several steps: what is read is what has been quiet for so long. */
  readonly quietMs: number;
  /** Where the system tells nothing (a network disk), the files are looked at this often. */
  readonly pollMs: number;
}

/**
 * Calls `changed` when something in a folder was written, and from time to time without that.
 *
 * @param failed hears of a watcher that broke: the looking goes on
 */
export function watchFolder(
  { folder, recursive, quietMs, pollMs }: WatchedFolder,
  timers: Timers,
  changed: () => void,
  failed: (error: unknown) => void,
): Disposable {
  const stack = new DisposableStack();
  let quiet: Disposable | undefined;
  let poll: Disposable | undefined;
  let isClosed = false;
  const soon = (): void => {
    quiet?.[Symbol.dispose]();
    if (!isClosed) quiet = timers.after(quietMs, changed);
  };
  const again = (): void => {
    changed();
    if (!isClosed) poll = timers.after(pollMs, again);
  };
  stack.defer(() => {
    isClosed = true;
    quiet?.[Symbol.dispose]();
    poll?.[Symbol.dispose]();
  });
  try {
    const watcher = watch(folder, { persistent: false, recursive }, soon);
    watcher.on('error', failed);
    stack.defer(() => watcher.close());
  } catch (error) {
    failed(error);
  }
  poll = timers.after(pollMs, again);
  return stack;
}
