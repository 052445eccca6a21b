import { type Label, readLabel } from '@bulkhead/shield';
import { damagedLabels, type LabelWriter } from './label-writer.ts';

/**
 * A running command that writes its folder directly, unobserved, and whose changes are not labelled
 * yet.
 */
export interface LiveCommand {
  readonly action: string;
  readonly session: string;
  /** Absolute path. */
  readonly folder: string;
  /** The label of its writes. It only rises. */
  readonly label: Label;
  /** Start time, milliseconds since the epoch. */
  readonly since: number;
}

/** Stored on the disk, so that files of a crashed command are labelled, too. */
export interface LiveCommands {
  all(): readonly LiveCommand[];
  /** Durable on return. */
  put(command: LiveCommand): void;
  remove(action: string): void;
}

export function createLiveCommands({ path, prepare, write }: LabelWriter): LiveCommands {
  const put = prepare('INSERT OR REPLACE INTO labels_live VALUES (?, ?, ?, ?, ?, ?)');
  const remove = prepare('DELETE FROM labels_live WHERE action = ?');
  const live = new Map<string, LiveCommand>();
  for (const row of prepare('SELECT * FROM labels_live').all()) {
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
      write(true, () => put.run(action, session, folder, label.secrecy, label.trust, Math.floor(since)));
      live.set(action, command);
    },
    remove(action) {
      write(false, () => remove.run(action));
      live.delete(action);
    },
  };
}
