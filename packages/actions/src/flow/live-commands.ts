import type { DatabaseSync } from 'node:sqlite';
import { type Label, readLabel } from '@bulkhead/shield';
import { damagedLabels } from './damaged-labels.ts';
import { durably } from './durably.ts';

/** A command that writes its folder itself, unseen, and has not been looked after yet. */
export interface LiveCommand {
  readonly action: string;
  readonly session: string;
  /** Absolute. */
  readonly folder: string;
  /** What its writes carry. It only rises. */
  readonly label: Label;
  /** Milliseconds since the epoch: when it began. */
  readonly since: number;
}

/** On the disk, so that what a crash leaves behind is labelled, too. */
export interface LiveCommands {
  all(): readonly LiveCommand[];
  /** On the disk when it returns. */
  put(command: LiveCommand): void;
  remove(action: string): void;
}

export function createLiveCommands(database: DatabaseSync, path: string): LiveCommands {
  database.exec(
    `CREATE TABLE IF NOT EXISTS live (
       action TEXT NOT NULL PRIMARY KEY, session TEXT NOT NULL, folder TEXT NOT NULL, secrecy TEXT NOT NULL,
       trust TEXT NOT NULL, since INTEGER NOT NULL
     ) STRICT, WITHOUT ROWID`,
  );
  const put = database.prepare('INSERT OR REPLACE INTO live VALUES (?, ?, ?, ?, ?, ?)');
  const remove = database.prepare('DELETE FROM live WHERE action = ?');
  const live = new Map<string, LiveCommand>();
  for (const row of database.prepare('SELECT * FROM live').all()) {
    const label = readLabel({ secrecy: row['secrecy'], trust: row['trust'] });
    if (label === undefined) throw damagedLabels(path, 'the label of a command is none');
    const action = String(row['action']);
    const folder = String(row['folder']);
    live.set(action, { action, session: String(row['session']), folder, label, since: Number(row['since']) });
  }
  return {
    all: () => [...live.values()],
    put(command) {
      const { action, session, folder, label, since } = command;
      durably(database, () =>
        put.run(action, session, folder, label.secrecy, label.trust, Math.floor(since)),
      );
      live.set(action, command);
    },
    remove(action) {
      remove.run(action);
      live.delete(action);
    },
  };
}
