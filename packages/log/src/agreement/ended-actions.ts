import type { LogAgreement, StoredRecord } from '@bulkhead/sessions';

/** Records of a session that are read at once. */
const BATCH = 500;

type Store = Pick<LogAgreement, 'positions' | 'recordsAfter'>;

/**
 * Actions with an effect that were announced after the mark and have an end in the session log: the audit log must name each. Reads what was
 * written after the mark, and nothing for a database without positions.
 *
 * @param marked the positions at the mark
 * @returns a description of each, by action
 */
export function endedActions(
  store: Store,
  marked: Readonly<Record<string, number>> | undefined,
): Map<string, string> {
  const ended = new Map<string, string>();
  if (marked === undefined) return ended;
  for (const [id, last] of store.positions()) {
    const from = marked[id] ?? 0;
    if (last > from) readSession(store, id, from, ended);
  }
  return ended;
}

function readSession(store: Store, sessionId: string, from: number, ended: Map<string, string>): void {
  const intended = new Map<string, string>();
  try {
    for (const { type, body } of eachRecord(store, sessionId, from)) {
      if (type === 'action_intent' && body.effect !== 'pure') intended.set(body.action, body.tool);
      if (type !== 'action_completed') continue;
      const tool = intended.get(body.action);
      const what = `action ${body.action} (${tool}) of session ${sessionId}`;
      if (tool !== undefined) ended.set(body.action, what);
    }
  } catch {
    // A damaged session is under quarantine, and named there.
  }
}

function* eachRecord(store: Store, sessionId: string, from: number): Iterable<StoredRecord> {
  let pos = from;
  let records: readonly StoredRecord[];
  do {
    records = store.recordsAfter(sessionId, pos, BATCH);
    yield* records;
    pos = records.at(-1)?.pos ?? pos;
  } while (records.length === BATCH);
}
