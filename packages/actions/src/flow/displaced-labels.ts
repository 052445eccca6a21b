import { type Label, readLabel } from '@bulkhead/shield';
import { damagedLabels, type LabelWriter } from './label-writer.ts';

/**
 * The labels that files had before an action changed them: undo restores the content and must
 * restore its label [U2].
 */
export interface DisplacedLabels {
  /**
   * Called before the change. Only the first note of an action about a file counts. @param label
   * undefined if there was none
   */
  note(action: string, key: string, label: Label | undefined): void;
  /**
   * The label of a file before the first of these actions (oldest first) that changed it; undefined
   * if none did.
   */
  before(actions: readonly string[], key: string): { readonly label: Label | undefined } | undefined;
  /** Deletes the notes of all other actions: they can no longer be undone. */
  keepOnly(actions: ReadonlySet<string>): void;
}

export function createDisplacedLabels({ path, prepare, write }: LabelWriter): DisplacedLabels {
  const note = prepare('INSERT OR IGNORE INTO labels_displaced VALUES (?, ?, ?, ?)');
  const find = prepare('SELECT secrecy, trust FROM labels_displaced WHERE action = ? AND key = ?');
  const actions = prepare('SELECT DISTINCT action FROM labels_displaced');
  const forget = prepare('DELETE FROM labels_displaced WHERE action = ?');
  return {
    note: (action, key, label) =>
      write(false, () => note.run(action, key, label?.secrecy ?? null, label?.trust ?? null)),
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
      const gone = actions.all().flatMap(({ action }) => (kept.has(String(action)) ? [] : [String(action)]));
      if (gone.length === 0) return;
      write(false, () => {
        for (const action of gone) forget.run(action);
      });
    },
  };
}
