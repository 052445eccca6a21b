import { damaged } from '../record-row.ts';
import { noEntry } from '../store-errors.ts';
import type { EntryLink, TreeSource } from '../tree/tree-source.ts';
import { integer, readRecord, text } from './read-row.ts';
import type { SessionDirectory, StoredHead } from './session-directory.ts';
import type { Statements } from './statements.ts';

/** The tree in the database. */
export function createSqliteTree(statements: Statements, directory: SessionDirectory): TreeSource {
  return {
    origin: (sessionId) => directory.find(sessionId).head.info.origin,
    row(sessionId, entry) {
      const row = statements.entry.get(directory.find(sessionId).key, entry);
      return row === undefined ? undefined : readRecord(sessionId, row);
    },
    link(sessionId, entry): EntryLink | undefined {
      const row = statements.link.get(directory.find(sessionId).key, entry);
      if (row === undefined) return undefined;
      return linkOf(row);
    },
    links(sessionId) {
      const rows = statements.links.all(directory.find(sessionId).key);
      return rows.map((row) => ({ ...linkOf(row), id: text(row, 'entry') }));
    },
    labelMarks(sessionId) {
      const rows = statements.labelMarks.all(directory.find(sessionId).key);
      return rows.map((row) => readRecord(sessionId, row)).filter((row) => row.entry !== null);
    },
  };
}

/** Why the tree has no `leaf`: it never existed, or the index lost it. */
export function whyMissing(statements: Statements, { key, head }: StoredHead, leaf: string): Error {
  const row = statements.entryByScan.get(key, leaf);
  if (row === undefined && head.info.leaf !== leaf) return noEntry(head.info.id, leaf);
  const pos = row === undefined ? head.lastPos : integer(row, 'pos');
  return damaged({ sessionId: head.info.id, pos }, `entry ${leaf} is not found by its id`);
}

function linkOf(row: Parameters<typeof text>[0]): EntryLink {
  const parent = row['parent'] === null ? null : text(row, 'parent');
  return { pos: integer(row, 'pos'), parent, type: text(row, 'type') };
}
