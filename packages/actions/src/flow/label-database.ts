import type { DatabaseSync } from 'node:sqlite';
import { cannotWrite, openOwnDatabase } from '@bulkhead/home/folder/open-own-database';
import { faultPoint } from '@bulkhead/protocol';
import { createLabelStore, type Label, type LabelStore, readLabel } from '@bulkhead/shield';
import { damagedLabels } from './damaged-labels.ts';
import { createDisplacedLabels, type DisplacedLabels } from './displaced-labels.ts';
import { durably } from './durably.ts';
import { createLabelHistory, type LabelHistory } from './label-history.ts';
import { createLiveCommands, type LiveCommands } from './live-commands.ts';

const TABLES = `
  CREATE TABLE IF NOT EXISTS labels (
    kind TEXT NOT NULL, key TEXT NOT NULL, secrecy TEXT NOT NULL, trust TEXT NOT NULL, PRIMARY KEY (kind, key)
  ) STRICT, WITHOUT ROWID`;

/** Labels on the disk: they outlive sessions and the engine [F2]. */
export interface LabelDatabase extends Disposable {
  /** The labels of one kind of thing: `file`, `memory`, `session`. Every change is on the disk when it returns, and all before it. */
  of(kind: string): LabelStore;
  readonly history: LabelHistory;
  readonly displaced: DisplacedLabels;
  readonly live: LiveCommands;
}

/**
 * Opens the labels at `path`, making the file if there is none.
 * @throws BulkheadError `store_corrupt` for a file that is none of ours or holds what is no label, `store_failed`
 */
export function openLabelDatabase(path: string): LabelDatabase {
  const database = openOwnDatabase({
    path,
    version: 1,
    tables: TABLES,
    synchronous: 'NORMAL',
    // A label that can't be read must not count as none.
    damaged: (reason, cause) => damagedLabels(path, reason, cause),
  });
  const kinds = new Map<string, LabelStore>();
  return {
    history: createLabelHistory(database, path),
    displaced: createDisplacedLabels(database, path),
    live: createLiveCommands(database, path),
    of(kind) {
      const known = kinds.get(kind);
      if (known !== undefined) return known;
      const made = storeOf(database, kind, path);
      kinds.set(kind, made);
      return made;
    },
    [Symbol.dispose]: () => database.close(),
  };
}

/** Reads are answered from memory. A change that can't be written stays in memory, and the error stops the run. */
function storeOf(database: DatabaseSync, kind: string, path: string): LabelStore {
  const rows = database.prepare('SELECT key, secrecy, trust FROM labels WHERE kind = ?').all(kind);
  const labels = createLabelStore(
    rows.map(({ key, secrecy, trust }): readonly [string, Label] => {
      const label = readLabel({ secrecy, trust });
      if (label === undefined) throw damagedLabels(path, `the label of ${String(key)} is none`);
      return [String(key), label];
    }),
  );
  const put = database.prepare(
    'INSERT INTO labels VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET secrecy = excluded.secrecy, trust = excluded.trust',
  );
  const remove = database.prepare('DELETE FROM labels WHERE kind = ? AND key = ?');
  const commit = (change: () => void): void => {
    try {
      faultPoint('labels.before_commit');
      durably(database, change);
    } catch (cause) {
      throw cannotWrite(path, cause);
    }
  };
  const putOne = (key: string, label: Label | undefined): void => {
    if (label === undefined) remove.run(kind, key);
    else put.run(kind, key, label.secrecy, label.trust);
  };
  /** For changes of whole folders: what differs there afterwards is written. */
  const commitBelow = (folders: readonly string[], change: () => void): void => {
    const before = new Map(folders.flatMap((folder) => labels.entries(folder)));
    change();
    const after = new Map(folders.flatMap((folder) => labels.entries(folder)));
    commit(() => {
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
      commit(() => putOne(key, label));
    },
    copy: (from, to) => commitBelow([to], () => labels.copy(from, to)),
    move: (from, to) => commitBelow([from, to], () => labels.move(from, to)),
    remove: (key) => commitBelow([key], () => labels.remove(key)),
  };
}
