import { entryFromRow, type RecordRow } from '../record-row.ts';
import type { EntryLabel } from '../session-store.ts';
import type { TreeSource } from './tree-source.ts';
import { linksBack } from './walk-back.ts';

/**
 * Labels in force, in the order of their entries. A fork has those of its own log and those on the
 * path to it; its origin's labels elsewhere are not included.
 */
export function labelsOf(source: TreeSource, sessionId: string): readonly EntryLabel[] {
  const logs = logsOf(source, sessionId);
  const inForce = new Map<string, string>();
  for (const row of marksOf(source, sessionId, logs)) {
    const entry = entryFromRow(row);
    if (row.parent === null || entry.type !== 'label') continue;
    const { label } = entry.body;
    if (label === '') inForce.delete(row.parent);
    else inForce.set(row.parent, label);
  }
  return [...inForce]
    .map(([entry, label]) => ({ entry, label, place: placeOf(source, logs, entry) }))
    .sort((a, b) => a.place[0] - b.place[0] || a.place[1] - b.place[1])
    .map(({ entry, label }) => ({ entry, label }));
}

/** The session and all its ancestors, the oldest first. */
function logsOf(source: TreeSource, sessionId: string): readonly string[] {
  const logs = [sessionId];
  for (let origin = source.origin(sessionId); origin !== null; origin = source.origin(origin.session)) {
    logs.unshift(origin.session);
  }
  return logs;
}

function marksOf(source: TreeSource, sessionId: string, logs: readonly string[]): readonly RecordRow[] {
  const own = source.labelMarks(sessionId);
  const origin = source.origin(sessionId);
  const others = logs.slice(0, -1).flatMap((log) => source.labelMarks(log));
  if (origin === null || others.length === 0) return own;
  const shared = new Set<string>();
  for (const { id, sessionId: log } of linksBack(source, origin.session, origin.entry)) {
    shared.add(`${log} ${id}`);
  }
  return [...others.filter((row) => shared.has(`${row.sessionId} ${row.entry}`)), ...own];
}

/**
 * Place of an entry: the number of its log, and its position there. The youngest log that holds it
 * wins.
 */
function placeOf(source: TreeSource, logs: readonly string[], entry: string): readonly [number, number] {
  for (let log = logs.length - 1; log >= 0; log--) {
    const link = source.link(logs[log] ?? '', entry);
    if (link !== undefined) return [log, link.pos];
  }
  return [0, 0];
}
