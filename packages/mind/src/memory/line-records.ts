import { lineKey } from '@bulkhead/memory';
import { BulkheadError } from '@bulkhead/protocol';
import type { Tables } from '@bulkhead/sessions';
import { joinLabels, type Label, needsLabel, readLabel } from '@bulkhead/shield';

/** The author of a line: a model in a session, the engine on its own, or the person. */
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

/** @param profile whose memory it is: no other sees its lines */
export function createLineRecords({ path: file, prepare, write }: Tables, profile: string): LineRecords {
  const insert = prepare('INSERT OR REPLACE INTO memory_lines VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const select = prepare(
    `SELECT author, session, action, time, secrecy, trust FROM memory_lines
       WHERE profile = ? AND key = ? ORDER BY time, action`,
  );
  const LABELLED = "(trust = 'external' OR secrecy NOT IN ('public', 'internal'))";
  const any = prepare(`SELECT 1 AS found FROM memory_lines WHERE profile = ? AND ${LABELLED} LIMIT 1`);
  const of = (line: string): readonly LineRecord[] => {
    const key = lineKey(line);
    return key === undefined ? [] : select.all(profile, key).map((row) => recordOf(row, file));
  };
  return {
    of,
    put(lines, path, { author, session, action, time, label }) {
      write(true, () => {
        for (const line of lines) {
          const key = lineKey(line);
          if (key !== undefined)
            insert.run(profile, key, action, path, author, session, time, label.secrecy, label.trust);
        }
      });
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
    hasLabels: () => any.get(profile) !== undefined,
  };
}

function recordOf(row: Readonly<Record<string, unknown>>, file: string): LineRecord {
  const label = readLabel({ secrecy: row['secrecy'], trust: row['trust'] });
  if (label === undefined) throw damagedRecords(file, 'a label is none');
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

/**
 * Unreadable records are never guessed: a line whose label is lost must not count as the user's.
 */
export function damagedRecords(path: string, reason: string): BulkheadError {
  return new BulkheadError(
    'store_corrupt',
    `who wrote what in memory can't be read from ${path}: ${reason}`,
    { fix: 'Restore the file from a backup. Without it every line of memory would count as your own.' },
  );
}
