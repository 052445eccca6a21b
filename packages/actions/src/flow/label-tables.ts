import { BulkheadError, faultPoint } from '@bulkhead/protocol';
import type { Tables } from '@bulkhead/sessions';
import { createLabelStore, type Label, type LabelStore, readLabel } from '@bulkhead/shield';
import { createDisplacedLabels, type DisplacedLabels } from './displaced-labels.ts';
import { createLabelHistory, type LabelHistory } from './label-history.ts';
import { createLiveCommands, type LiveCommands } from './live-commands.ts';

/** Labels on the disk: they outlive sessions and the engine [F2]. */
export interface LabelTables {
  /** The labels of one kind of thing: `file`, `memory`, `session`. */
  of(kind: string): LabelStore;
  readonly history: LabelHistory;
  readonly displaced: DisplacedLabels;
  readonly live: LiveCommands;
  /**
   * Makes all changes within `change` in one transaction, once it has returned: labels, and how far the log that they
   * follow was told. It is on the disk when this returns if one of them has to be.
   */
  together(change: () => void): void;
}

/** How the parts write. */
export interface LabelWriter extends Pick<Tables, 'path' | 'prepare'> {
  /**
   * @param durable true: the change is on the disk when the call returns, with all before it. False: a loss of power
   *   may take it, but not if a later durable change is there.
   * @throws BulkheadError `store_failed`
   */
  write(durable: boolean, change: () => unknown): void;
}

/** @throws BulkheadError `store_corrupt` for rows that are no labels */
export function createLabelTables(tables: Tables): LabelTables {
  const writer = createWriter(tables);
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

interface Waiting {
  isDurable: boolean;
  readonly changes: (() => unknown)[];
}

function createWriter(tables: Tables): LabelWriter & Pick<LabelTables, 'together'> {
  const { path } = tables;
  /** What waits for the end of `together`. */
  let waiting: Waiting | undefined;
  const commit = (durable: boolean, change: () => unknown): void => {
    tables.write(durable, () => {
      if (durable) faultPoint('labels.before_commit');
      change();
    });
  };
  return {
    path,
    prepare: (sql) => tables.prepare(sql),
    write(durable, change) {
      if (waiting === undefined) return commit(durable, change);
      waiting.isDurable ||= durable;
      waiting.changes.push(change);
    },
    together(change) {
      if (waiting !== undefined) return change();
      const collected: Waiting = { isDurable: false, changes: [] };
      waiting = collected;
      try {
        change();
      } finally {
        waiting = undefined;
        // Also of a change that was cut off: memory has what came before.
        if (collected.changes.length > 0)
          commit(collected.isDurable, () => {
            for (const each of collected.changes) each();
          });
      }
    },
  };
}

/** Reads are answered from memory. A change that can't be written stays in memory, and the error stops the run. */
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
  /** For changes of whole folders: what differs there afterwards is written. */
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

/** The error for labels that can't be read: they must not count as none. */
export function damagedLabels(path: string, why: string): BulkheadError {
  return new BulkheadError('store_corrupt', `the labels in ${path} can't be read: ${why}`, {
    fix: 'Restore the file from a backup. If you move it away, what was labelled counts as unlabelled.',
  });
}
