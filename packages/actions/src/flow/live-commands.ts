import { type Label, readLabel } from '@bulkhead/shield';
import { damagedLabels, type LabelWriter } from './label-writer.ts';

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
