import { watch } from 'node:fs';
import type { Timers } from '@bulkhead/protocol';

/** Editors write in several steps: what is read is what has been quiet for so long. */
const QUIET_MS = 150;
/** Where the system tells nothing (a network disk), the files are looked at this often. */
const POLL_MS = 10_000;

/**
 * Calls `changed` when something in a folder was written, and from time to time without that.
 * @param failed hears of a watcher that broke: the looking goes on
 */
export function watchPolicies(
  folder: string,
  timers: Timers,
  changed: () => void,
  failed: (error: unknown) => void,
): Disposable {
  const stack = new DisposableStack();
  let quiet: Disposable | undefined;
  let poll: Disposable | undefined;
  let closed = false;
  const soon = (): void => {
    quiet?.[Symbol.dispose]();
    if (!closed) quiet = timers.after(QUIET_MS, changed);
  };
  const again = (): void => {
    changed();
    if (!closed) poll = timers.after(POLL_MS, again);
  };
  stack.defer(() => {
    closed = true;
    quiet?.[Symbol.dispose]();
    poll?.[Symbol.dispose]();
  });
  try {
    const watcher = watch(folder, { persistent: false }, soon);
    watcher.on('error', failed);
    stack.defer(() => watcher.close());
  } catch (error) {
    failed(error);
  }
  poll = timers.after(POLL_MS, again);
  return stack;
}
