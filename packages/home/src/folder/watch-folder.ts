import { watch } from 'node:fs';
import type { Timers } from '@bulkhead/protocol';

/** The watched folder, with its times in milliseconds. */
export interface WatchedFolder {
  readonly folder: string;
  /** Includes all folders below it. */
  readonly recursive: boolean;
  /** Editors write in several steps: files are read after this long without a change. */
  readonly quietMs: number;
  /** Interval of checks where the system reports no changes (a network disk). */
  readonly pollMs: number;
}

/**
 * Calls `changed` when something in a folder was written, and from time to time without that.
 *
 * @param failed receives the failure of a watcher; the checks continue
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
