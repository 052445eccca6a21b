import type { Chronicle, Rollbacks } from '@bulkhead/chronicle';

/**
 * After a crash: continues interrupted rollbacks, then records the final state of interrupted
 * actions. Call it after interrupted commands are settled, and before any other change of a folder.
 *
 * @returns errors of the remaining work
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
