import type { ActionFate, FileChange, FileState, Timers, ToolHost, ToolHostCall } from '@bulkhead/protocol';

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

/**
 * What the files say: every one as the action would leave it means that it was done, every one as it found it that
 * it was not. Anything else, a file nobody may read included, is not known [T8].
 *
 * @param changes what the action was foretold to change; none means that nothing can be told
 * @param states of those files, as they are now
 */
export function observedFate(changes: readonly FileChange[], states: readonly FileState[]): ActionFate {
  const now = new Map(states.map(({ path, hash }) => [path, hash]));
  if (changes.length === 0) return 'unknown';
  if (changes.every(({ path, after }) => now.has(path) && now.get(path) === after)) return 'executed';
  if (changes.every(({ path, before }) => now.has(path) && now.get(path) === before)) return 'not_executed';
  return 'unknown';
}
