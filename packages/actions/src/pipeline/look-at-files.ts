import type { ActionFate, FileChange, FileState, Timers, ToolHost, ToolHostCall } from '@bulkhead/protocol';

/** Time limit for inspecting files; after it, the answer is "not known". */
const LOOK_MS = 5_000;

/**
 * Determines the outcome of an action by the files that it planned to change (FG5). Never rejects.
 *
 * @param changes an empty list gives no information
 * @param where the action, the session whose worker inspects the files, and its working folder
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
 * Done if every file has its planned new state, not done if every file has its old state. Otherwise
 * unknown, also for unreadable files [T8].
 *
 * @param changes the planned changes of the action; an empty list gives no information
 * @param states of those files now
 */
export function observedFate(changes: readonly FileChange[], states: readonly FileState[]): ActionFate {
  const now = new Map(states.map(({ path, hash }) => [path, hash]));
  if (changes.length === 0) return 'unknown';
  if (changes.every(({ path, after }) => now.has(path) && now.get(path) === after)) return 'executed';
  if (changes.every(({ path, before }) => now.has(path) && now.get(path) === before)) return 'not_executed';
  return 'unknown';
}
