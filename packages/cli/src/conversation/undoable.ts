import type { EngineClient } from '@bulkhead/client';
import type { SnapshotSummary } from '@bulkhead/protocol/client';

/** How far back a session's changes are searched: the engine's own limit of one list. */
const LOOK_AT = 1_000;
/** The changes of a run that has just ended. */
const RECENT = 50;

/**
 * The newest action that changed something and was not undone yet.
 *
 * @param of a run, or a whole session
 */
export async function newestUndoable(
  client: EngineClient,
  of: { readonly run: string } | { readonly session: string },
  signal: AbortSignal,
): Promise<SnapshotSummary | undefined> {
  const { snapshots } = await client.call('listSnapshots', { limit: 'run' in of ? RECENT : LOOK_AT }, signal);
  return snapshots.find(
    ({ runId, sessionId, changed, undoneBy, undoes }) =>
      changed > 0 &&
      undoneBy === '' &&
      undoes.length === 0 &&
      ('run' in of ? runId === of.run : sessionId === of.session),
  );
}
