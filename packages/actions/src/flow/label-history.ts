import { BulkheadError } from '@bulkhead/protocol';
import { type Label, readLabel } from '@bulkhead/shield';
import type { LabelWriter } from './label-writer.ts';

/**
 * How far the log of each session has changed labels, and which labels its reads met. What a session did to a file's label
 * happened once: files are moved and rewritten by other sessions since, so reading its log again must not do it again, and
 * must see the labels that it saw then [F2].
 *
 * What is told and met is on the disk before the next change of any label is, in the order in which it was said. If a power
 * loss takes the last of it, no label has changed since: telling it again does what it did.
 */
export interface LabelHistory {
  /** Sessions whose log has changed labels, or may have. */
  sessions(): readonly string[];
  /** The position up to which a session's log has been told; 0 for none of it. */
  toldUpTo(sessionId: string): number;
  tell(sessionId: string, pos: number): void;
  /** The label that what was read was stored with. @param pos of the result in the session's log */
  met(sessionId: string, pos: number): Label | undefined;
  meet(sessionId: string, pos: number, label: Label): void;
  /** Drops all that is known of a session, within its deletion [D4]. */
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
      // A session that may change labels is known on the disk before it does: what it wrote is labelled after any crash.
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
