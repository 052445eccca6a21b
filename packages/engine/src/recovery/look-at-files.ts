import type { ActionFate, FileChange, Timers, ToolHost, ToolHostCall } from '@bulkhead/protocol';
import { observedFate } from './action-fate.ts';

/** How long looking at files may take before the answer is "not known". */
const LOOK_MS = 5_000;

/**
 * What became of an action, by the files it was foretold to change (FG5). Never rejects.
 *
 * @param changes none means that nothing can be told
 * @param where the action, the session whose worker looks, and its working folder
 */
export async function lookAtFiles(
  changes: readonly FileChange[],
  host: Pick<ToolHost, 'inspect'>,
  { actionId, sessionId, workingFolder }: Pick<ToolHostCall, 'actionId' | 'sessionId' | 'workingFolder'>,
  timers: Timers,
): Promise<ActionFate> {
  if (changes.length === 0) return 'unknown';
  const late = new AbortController();
  using _timer = timers.after(LOOK_MS, () => late.abort());
  try {
    const paths = changes.map(({ path }) => path);
    const where = { actionId, sessionId, workingFolder, paths };
    return observedFate(changes, await host.inspect(where, late.signal));
  } catch {
    return 'unknown';
  }
}
