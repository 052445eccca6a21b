import { BulkheadError, faultPoint } from '@bulkhead/protocol';
import type { Tables } from '@bulkhead/sessions';

/** How the label stores write. */
export interface LabelWriter extends Pick<Tables, 'path' | 'prepare'> {
  /**
   * @param durable true: the change and all earlier ones are on the disk on return. False: a power
   * loss may take it, unless a later durable change is kept.
   * @throws BulkheadError `store_failed`
   */
  write(durable: boolean, change: () => unknown): void;
}

interface Waiting {
  isDurable: boolean;
  readonly changes: (() => unknown)[];
}

export function createLabelWriter(tables: Tables): LabelWriter & { together(change: () => void): void } {
  const { path } = tables;
  /** The changes that wait for the end of `together`. */
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
        // Also after an interrupted change: memory holds its first part.
        if (collected.changes.length > 0)
          commit(collected.isDurable, () => {
            for (const each of collected.changes) each();
          });
      }
    },
  };
}

/** The error for unreadable labels: they must not count as no labels. */
export function damagedLabels(path: string, why: string): BulkheadError {
  return new BulkheadError('store_corrupt', `the labels in ${path} can't be read: ${why}`, {
    fix: 'Restore the file from a backup. If you move it away, what was labelled counts as unlabelled.',
  });
}
