import { watch } from 'node:fs';
import type { Timers } from '@bulkhead/protocol';

/** Editors write in several steps: what is read is what has been quiet for so long. */
const QUIET_MS = 300;
/** Where the system tells nothing (a network disk), the files are looked at this often. */
const POLL_MS = 30_000;

/**
 * Calls `changed` when something below a folder was written, and from time to time without that. Being late does no harm: every
 * search looks at the files first.
 *
 * @param failed hears of a watcher that broke: the looking goes on
 */
export function watchMemory(
  folder: string,
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
    if (!isClosed) quiet = timers.after(QUIET_MS, changed);
  };
  const again = (): void => {
    changed();
    if (!isClosed) poll = timers.after(POLL_MS, again);
  };
  stack.defer(() => {
    isClosed = true;
    quiet?.[Symbol.dispose]();
    poll?.[Symbol.dispose]();
  });
  try {
    const watcher = watch(folder, { persistent: false, recursive: true }, soon);
    watcher.on('error', failed);
    stack.defer(() => watcher.close());
  } catch (error) {
    failed(error);
  }
  poll = timers.after(POLL_MS, again);
  return stack;
}
