import type { Tables } from '@bulkhead/sessions';
import { createLabelStore, type Label, type LabelStore, readLabel } from '@bulkhead/shield';
import { createDisplacedLabels, type DisplacedLabels } from './displaced-labels.ts';
import { createLabelHistory, type LabelHistory } from './label-history.ts';
import { createLabelWriter, damagedLabels, type LabelWriter } from './label-writer.ts';
import { createLiveCommands, type LiveCommands } from './live-commands.ts';

/** Labels on the disk: they outlive sessions and the engine [F2]. */
export interface LabelTables {
  /** The labels of one kind of thing: `file`, `memory`, `session`. */
  of(kind: string): LabelStore;
  readonly history: LabelHistory;
  readonly displaced: DisplacedLabels;
  readonly live: LiveCommands;
  /**
   * Writes all changes of `change` in one transaction after it returns: labels, and the replayed
   * position of their log. Durable on return if any change must be.
   */
  together(change: () => void): void;
}

/** @throws BulkheadError `store_corrupt` for rows that are no labels */
export function createLabelTables(tables: Tables): LabelTables {
  const writer = createLabelWriter(tables);
  const kinds = new Map<string, LabelStore>();
  const history = createLabelHistory(writer);
  const removeSession = tables.prepare(`DELETE FROM labels WHERE kind = 'session' AND key = ?`);
  tables.onSessionDeleted((sessionId) => {
    removeSession.run(sessionId);
    history.forget(sessionId);
  });
  return {
    history,
    displaced: createDisplacedLabels(writer),
    live: createLiveCommands(writer),
    of(kind) {
      const known = kinds.get(kind);
      if (known !== undefined) return known;
      const made = storeOf(writer, kind);
      kinds.set(kind, made);
      return made;
    },
    together: (change) => writer.together(change),
  };
}

/**
 * Reads come from memory. A change that cannot be written stays in memory, and the error stops the
 * run.
 */
function storeOf({ path, prepare, write }: LabelWriter, kind: string): LabelStore {
  const rows = prepare('SELECT key, secrecy, trust FROM labels WHERE kind = ?').all(kind);
  const labels = createLabelStore(
    rows.map(({ key, secrecy, trust }): readonly [string, Label] => {
      const label = readLabel({ secrecy, trust });
      if (label === undefined) throw damagedLabels(path, `the label of ${String(key)} is none`);
      return [String(key), label];
    }),
  );
  const put = prepare(
    'INSERT INTO labels VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET secrecy = excluded.secrecy, trust = excluded.trust',
  );
  const remove = prepare('DELETE FROM labels WHERE kind = ? AND key = ?');
  const putOne = (key: string, label: Label | undefined): void => {
    if (label === undefined) remove.run(kind, key);
    else put.run(kind, key, label.secrecy, label.trust);
  };
  /** For changes of whole folders: writes the differences afterwards. */
  const commitBelow = (folders: readonly string[], change: () => void): void => {
    const before = new Map(folders.flatMap((folder) => labels.entries(folder)));
    change();
    const after = new Map(folders.flatMap((folder) => labels.entries(folder)));
    write(true, () => {
      for (const key of before.keys()) if (!after.has(key)) putOne(key, undefined);
      for (const [key, label] of after) if (before.get(key) !== label) putOne(key, label);
    });
  };
  return {
    get: (key) => labels.get(key),
    below: (folder) => labels.below(folder),
    beginning: (prefix) => labels.beginning(prefix),
    entries: (folder) => labels.entries(folder),
    set: (key, label) => {
      labels.set(key, label);
      write(true, () => putOne(key, label));
    },
    copy: (from, to) => commitBelow([to], () => labels.copy(from, to)),
    move: (from, to) => commitBelow([from, to], () => labels.move(from, to)),
    remove: (key) => commitBelow([key], () => labels.remove(key)),
  };
}
