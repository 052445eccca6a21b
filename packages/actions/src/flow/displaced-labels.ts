import type { DatabaseSync } from 'node:sqlite';
import { type Label, readLabel } from '@bulkhead/shield';
import { damagedLabels } from './damaged-labels.ts';

/**
 * The labels that files had before an action changed them: taking the action back brings the content back, and must bring
 * its label back [U2].
 */
export interface DisplacedLabels {
  /** Before the change. The first note of an action about a file counts. @param label undefined where there was none */
  note(action: string, key: string, label: Label | undefined): void;
  /** What a file had before the first of these actions, the oldest first, that changed its label; undefined if none did. */
  before(actions: readonly string[], key: string): { readonly label: Label | undefined } | undefined;
  /** Forgets all actions but these: they can't be taken back any more. */
  keepOnly(actions: ReadonlySet<string>): void;
}

export function createDisplacedLabels(database: DatabaseSync, path: string): DisplacedLabels {
  database.exec(
    `CREATE TABLE IF NOT EXISTS displaced (
       action TEXT NOT NULL, key TEXT NOT NULL, secrecy TEXT, trust TEXT, PRIMARY KEY (action, key)
     ) STRICT, WITHOUT ROWID`,
  );
  const note = database.prepare('INSERT OR IGNORE INTO displaced VALUES (?, ?, ?, ?)');
  const find = database.prepare('SELECT secrecy, trust FROM displaced WHERE action = ? AND key = ?');
  const actions = database.prepare('SELECT DISTINCT action FROM displaced');
  const forget = database.prepare('DELETE FROM displaced WHERE action = ?');
  return {
    note: (action, key, label) => {
      note.run(action, key, label?.secrecy ?? null, label?.trust ?? null);
    },
    before(taken, key) {
      const row = taken.map((action) => find.get(action, key)).find((each) => each !== undefined);
      if (row === undefined) return undefined;
      const { secrecy = null, trust = null } = row;
      if (secrecy === null && trust === null) return { label: undefined };
      const label = readLabel({ secrecy, trust });
      if (label === undefined) throw damagedLabels(path, `the earlier label of ${key} is none`);
      return { label };
    },
    keepOnly(kept) {
      for (const { action } of actions.all()) {
        if (!kept.has(String(action))) forget.run(String(action));
      }
    },
  };
}
