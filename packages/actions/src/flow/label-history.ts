import { BulkheadError } from '@bulkhead/protocol';
import { type Label, readLabel } from '@bulkhead/shield';
import type { LabelWriter } from './label-writer.ts';

/**
 * How far each session's log has changed labels, and which labels its reads found. A session
 * changes a file's label once: other sessions move and rewrite files later, so a replay of the log
 * must not repeat the change, and must see the labels of that time [F2].
 *
 * Replayed positions and found labels reach the disk before the next label change, in order. If a
 * power loss takes the last ones, no label has changed since, and a second replay has the same
 * result.
 */
export interface LabelHistory {
  /** Sessions whose log has changed labels, or may have. */
  sessions(): readonly string[];
  /** The position up to which a session's log was replayed; 0 for none. */
  toldUpTo(sessionId: string): number;
  tell(sessionId: string, pos: number): void;
  /** The stored label of a read. @param pos of the result in the session's log */
  met(sessionId: string, pos: number): Label | undefined;
  meet(sessionId: string, pos: number, label: Label): void;
  /** Deletes everything about a session, during its deletion [D4]. */
  forget(sessionId: string): void;
}

/** @throws BulkheadError `store_corrupt` from a read that finds no label where one was stored */
export function createLabelHistory({ path, prepare, write }: LabelWriter): LabelHistory {
  const sessions = prepare('SELECT session FROM labels_told ORDER BY session');
  const told = prepare('SELECT pos FROM labels_told WHERE session = ?');
  const tell = prepare('INSERT INTO labels_told VALUES (?, ?) ON CONFLICT DO UPDATE SET pos = excluded.pos');
  const met = prepare('SELECT secrecy, trust FROM labels_met WHERE session = ? AND pos = ?');
  const meet = prepare(
    'INSERT INTO labels_met VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET secrecy = excluded.secrecy, trust = excluded.trust',
  );
  const forgets = [
    prepare('DELETE FROM labels_told WHERE session = ?'),
    prepare('DELETE FROM labels_met WHERE session = ?'),
  ];
  return {
    sessions: () => sessions.all().map(({ session }) => String(session)),
    toldUpTo: (sessionId) => Number(told.get(sessionId)?.['pos'] ?? 0),
    tell: (sessionId, pos) => {
      // The session is on the disk before it may change labels: after a crash, its writes are still
      // labelled.
      write(told.get(sessionId) === undefined, () => tell.run(sessionId, pos));
    },
    met(sessionId, pos) {
      const row = met.get(sessionId, pos);
      if (row === undefined) return undefined;
      const label = readLabel({ secrecy: row['secrecy'], trust: row['trust'] });
      if (label !== undefined) return label;
      throw new BulkheadError('store_corrupt', `the label of a read in ${path} is none`, {
        fix: 'Restore the file from a backup.',
        details: { session: sessionId },
      });
    },
    meet: (sessionId, pos, { secrecy, trust }) =>
      write(false, () => meet.run(sessionId, pos, secrecy, trust)),
    forget: (sessionId) => {
      for (const statement of forgets) statement.run(sessionId);
    },
  };
}
