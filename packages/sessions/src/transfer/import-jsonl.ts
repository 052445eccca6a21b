import type { JsonObject } from '@bufbuild/protobuf';
import { describeError, RECORD_VERSION } from '@bulkhead/protocol';
import { rulesIn } from '../conversation-view.ts';
import { faultOfMark, isMark } from '../mark-body.ts';
import { readMessage } from '../message-body.ts';
import type { NewRecord, SessionInfo, SessionStore } from '../session-store.ts';
import { foreignBody, MESSAGE_TYPES } from './foreign-body.ts';
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
  const { title, entries, leaf } = await readSessionFile(lines);
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

/** The rules in force at an entry of the file, as the file has it. */
function rulesAt(leaf: string | null, entries: readonly FileEntryLine[]): readonly string[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  for (let at = leaf; at !== null; ) {
    const entry = byId.get(at);
    const isMessage = entry !== undefined && MESSAGE_TYPES.includes(entry.type);
    const rules = entry === undefined || isMessage ? undefined : rulesIn({ ...entry, message: undefined });
    if (rules !== undefined) return rules;
    at = entry?.parent ?? null;
  }
  return [];
}

/** @param known new ids of the entries before it */
function recordOf(
  entry: FileEntryLine,
  newIds: ReadonlyMap<string, string>,
  known: ReadonlySet<string>,
  own: boolean,
) {
  const { time, turn, type, line } = entry;
  const place = {
    id: newIds.get(entry.id) ?? entry.id,
    parent: entry.parent === null ? null : (newIds.get(entry.parent) ?? null),
  };
  if (!isMark({ type, version: RECORD_VERSION })) {
    if (!MESSAGE_TYPES.includes(type)) throw badFile(line, `an entry can't be of type ${type}`);
    checkMessage(entry);
  }
  const body = foreignBody(type, renamed(entry, place.id, newIds), own);
  const mark = { type, entry: place.id, parent: place.parent };
  const fault = faultOfMark(mark, body, (other) => known.has(other));
  if (fault !== undefined) throw badFile(line, fault);
  return { time, turn, type, visible: false, entry: place, body } satisfies NewRecord;
}

function checkMessage({ body, line }: FileEntryLine): void {
  try {
    readMessage(body);
  } catch (error) {
    throw badFile(line, describeError(error), error);
  }
}

/** The body of an entry, with the new ids of what it names. What it names beyond the file is not named any more. */
function renamed(entry: FileEntryLine, id: string, newIds: ReadonlyMap<string, string>): JsonObject {
  const { keptFrom, left } = entry.body;
  if (entry.type === 'compaction' && typeof keptFrom === 'string') {
    return { ...entry.body, keptFrom: newIds.get(keptFrom) ?? id };
  }
  if (entry.type === 'branch_summary' && typeof left === 'string') {
    return { ...entry.body, left: newIds.get(left) ?? '' };
  }
  return entry.body;
}
