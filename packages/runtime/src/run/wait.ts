import { suspensionOf } from '@bulkhead/log/suspension/suspension';
import { BulkheadError, type Timers } from '@bulkhead/protocol';

/** Waits `ms` milliseconds. @throws Suspension or BulkheadError `cancelled` as soon as `signal` aborts */
export async function wait(timers: Timers, ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const cancel = (): void =>
    reject(suspensionOf(signal) ?? new BulkheadError('cancelled', 'the wait was cancelled'));
  using _timer = timers.after(ms, resolve);
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    await promise;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
