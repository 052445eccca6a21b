import type { Chronicle, Rollbacks } from '@bulkhead/chronicle';

/**
 * After a crash: goes on with rollbacks that were cut off, then sees what actions left that were. To be called when commands
 * that were cut off have been brought in order, and before anything else changes any folder.
 *
 * @returns what could not be done, and waits
 */
export async function recoverChronicle(
  chronicle: Chronicle,
  rollbacks: Rollbacks,
): Promise<readonly unknown[]> {
  const errors: unknown[] = [];
  try {
    await rollbacks.resume();
  } catch (error) {
    errors.push(error);
  }
  const pending = rollbacks.pending();
  for (const { id, state } of chronicle.list()) {
    if (state !== 'open' || pending.has(id)) continue;
    try {
      await chronicle.finish(id, true);
    } catch (error) {
      errors.push(error);
    }
  }
  return errors;
}
