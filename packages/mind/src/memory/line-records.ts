import type { DatabaseSync } from 'node:sqlite';
import { lineKey } from '@bulkhead/memory';
import { BulkheadError, describeError } from '@bulkhead/protocol';
import { joinLabels, type Label, needsLabel, readLabel } from '@bulkhead/shield';
import { damaged } from './memory-database.ts';

/** Who has a line written: a model in a session, the engine by itself, the person. */
type MemoryAuthor = 'agent' | 'auto' | 'person';

/** Where a line comes from. */
export interface LineRecord {
  readonly author: MemoryAuthor;
  /** Empty for a person's own. */
  readonly session: string;
  readonly action: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly label: Label;
}

/**
 * Who wrote which line of memory, by what the line says: it may be moved, indented or merged by a sync tool and stays known.
 * A line without a record is the user's own.
 */
export interface LineRecords {
  /**
   * To be called before the lines are written: of a crash in between, a record is left too much.
   * @throws BulkheadError `store_failed`: then nothing may be written
   */
  put(lines: readonly string[], path: string, record: LineRecord): void;
  /** Of one line, the oldest first. */
  of(line: string): readonly LineRecord[];
  /** The worst label of some lines; undefined if none needs one. */
  labelOf(lines: Iterable<string>): Label | undefined;
  /** False if no line ever written carries a label: then nothing has to be looked up. */
  hasLabels(): boolean;
}

export function createLineRecords(database: DatabaseSync, file: string): LineRecords {
  const insert = database.prepare('INSERT OR REPLACE INTO lines VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const select = database.prepare(
    'SELECT author, session, action, time, secrecy, trust FROM lines WHERE key = ? ORDER BY time, action',
  );
  const LABELLED = "(trust = 'external' OR secrecy NOT IN ('public', 'internal'))";
  const any = database.prepare(`SELECT 1 AS found FROM lines WHERE ${LABELLED} LIMIT 1`);
  const of = (line: string): readonly LineRecord[] => {
    const key = lineKey(line);
    return key === undefined ? [] : select.all(key).map((row) => recordOf(row, file));
  };
  return {
    of,
    put(lines, path, { author, session, action, time, label }) {
      try {
        database.exec('BEGIN IMMEDIATE');
        for (const line of lines) {
          const key = lineKey(line);
          if (key !== undefined)
            insert.run(key, action, path, author, session, time, label.secrecy, label.trust);
        }
        database.exec('COMMIT');
      } catch (cause) {
        if (database.isTransaction) database.exec('ROLLBACK');
        throw new BulkheadError('store_failed', `can't note who writes in ${file}: ${describeError(cause)}`, {
          cause,
        });
      }
    },
    labelOf(lines) {
      let worst: Label | undefined;
      for (const line of lines) {
        for (const { label } of of(line)) {
          if (needsLabel(label)) worst = worst === undefined ? label : joinLabels(worst, label);
        }
      }
      return worst;
    },
    hasLabels: () => any.get() !== undefined,
  };
}

function recordOf(row: Readonly<Record<string, unknown>>, file: string): LineRecord {
  const label = readLabel({ secrecy: row['secrecy'], trust: row['trust'] });
  if (label === undefined) throw damaged(file, 'a label is none');
  return {
    author: authorOf(row['author']),
    session: String(row['session']),
    action: String(row['action']),
    time: Number(row['time']),
    label,
  };
}

/** Of what a later version may say, the least trusted. */
function authorOf(value: unknown): MemoryAuthor {
  return value === 'person' || value === 'auto' ? value : 'agent';
}
