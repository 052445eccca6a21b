import { describeError, RECORD_VERSION } from '@bulkhead/protocol';
import { isMark, isMessage, type LogRecord, logRecordOf } from '@bulkhead/protocol/records';
import { rulesIn } from '../conversation-view.ts';
import { faultOfMark } from '../mark-body.ts';
import { readMessage } from '../message-body.ts';
import type { NewRecord, SessionInfo, SessionStore } from '../session-store.ts';
import { type FileRecord, foreignRecord } from './foreign-body.ts';
import { importedNote } from './imported-note.ts';
import { badFile } from './read-line.ts';
import { readSessionFile, type SessionFile } from './read-session-file.ts';

export interface ImportOptions {
  /** Id of the session to be made. */
  readonly id: string;
  /** Gives a new id for each entry, so that a file can be imported more than once. */
  readonly ids: () => string;
  readonly workingFolder: string;
  /** Milliseconds since the epoch: when the session is made. Entries keep their times. */
  readonly time: number;
  /** Records of the caller's that stand before the imported ones: a few, and none of them an entry. */
  readonly first?: readonly NewRecord[];
  /** The person says that the messages in their role are their own words; else a model is shown them as data [C6]. */
  readonly own?: boolean;
}

/** A session made of a file. */
export interface ImportedSession extends SessionInfo {
  /** Rules that the file calls pinned where it stands: they are not any more. Of any length. */
  readonly rulesLeftOut: readonly string[];
}

type FileEntryLine = SessionFile['entries'][number];

/** An entry of the file as the log has it, with the ids of the file. */
type ReadEntry = Pick<FileEntryLine, 'id' | 'parent' | 'time' | 'turn' | 'line'> & FileRecord;

/**
 * Makes a session of an exported one. The file is read to its end and proved before anything is stored, and then stored
 * at once: a file that is damaged, cut, foreign or newer leaves the store as it was.
 * @param lines as `exportJsonl` gives them, with or without their line ends
 * @throws BulkheadError `usage`, naming the line
 */
export async function importJsonl(
  store: SessionStore,
  lines: Iterable<string> | AsyncIterable<string>,
  options: ImportOptions,
): Promise<ImportedSession> {
  const { title, entries: written, leaf } = await readSessionFile(lines);
  const entries = written.map(readEntry);
  const newIds = new Map(entries.map((entry) => [entry.id, options.ids()]));
  const known = new Set<string>();
  const records = entries.map((entry) => {
    const record = recordOf(entry, newIds, known, options.own === true);
    known.add(record.entry.id);
    return record;
  });
  const { id, workingFolder, time, first = [] } = options;
  const log = [...first, importedNote(time, first.length + 1 + records.length), ...records];
  const info = store.createSession(
    { id, workingFolder, time },
    { records: log, title, leaf: leaf === null ? null : (newIds.get(leaf) ?? null) },
  );
  return { ...info, rulesLeftOut: rulesAt(leaf, entries) };
}

function readEntry(written: FileEntryLine): ReadEntry {
  const { type, body: _body, line, ...place } = written;
  const record = readBody(written);
  if (!isMark(record) && !isMessage(record)) throw badFile(line, `an entry can't be of type ${type}`);
  if (record.type === 'version_1') throw badFile(line, `an entry can't be of type ${type}`);
  return { ...place, ...record, line };
}

function readBody({ id: entry, type, body, line }: FileEntryLine): LogRecord {
  try {
    const record = logRecordOf({ type, version: RECORD_VERSION, entry }, body);
    if (isMessage(record)) readMessage(record.body);
    return record;
  } catch (error) {
    throw badFile(line, describeError(error), error);
  }
}

/** The rules in force at an entry of the file, as the file has it. */
function rulesAt(leaf: string | null, entries: readonly ReadEntry[]): readonly string[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  for (let at = leaf; at !== null; ) {
    const entry = byId.get(at);
    const rules = entry === undefined ? undefined : rulesIn(entry);
    if (rules !== undefined) return rules;
    at = entry?.parent ?? null;
  }
  return [];
}

/** @param known new ids of the entries before it */
function recordOf(
  { id: oldId, parent: oldParent, time, turn, line, ...said }: ReadEntry,
  newIds: ReadonlyMap<string, string>,
  known: ReadonlySet<string>,
  own: boolean,
): NewRecord & { readonly entry: { readonly id: string } } {
  const id = newIds.get(oldId) ?? oldId;
  const parent = oldParent === null ? null : (newIds.get(oldParent) ?? null);
  const record = foreignRecord(renamed(said, id, newIds), own);
  const fault = isMark(record)
    ? faultOfMark({ ...record, id, parent }, (other) => known.has(other))
    : undefined;
  if (fault !== undefined) throw badFile(line, fault);
  return { time, turn, visible: false, entry: { id, parent }, ...record };
}

/** An entry with the new ids of its references. References beyond the file are dropped. */
function renamed(record: FileRecord, id: string, newIds: ReadonlyMap<string, string>): FileRecord {
  if (record.type === 'compaction') {
    return { ...record, body: { ...record.body, keptFrom: newIds.get(record.body.keptFrom) ?? id } };
  }
  if (record.type === 'branch_summary' && typeof record.body.left === 'string') {
    return { ...record, body: { ...record.body, left: newIds.get(record.body.left) ?? '' } };
  }
  return record;
}
