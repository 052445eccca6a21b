import { BulkheadError, describeError, RECORD_VERSION } from '@bulkhead/protocol';
import { faultOfMark } from './mark-body.ts';
import { entryFromRecord, type RecordRow, recordFromRow } from './record-row.ts';
import type { AppendOptions, NewRecord, StoredRecord } from './session-store.ts';

/** A session's state before an append, as the store knows it. */
export interface LogState {
  readonly lastPos: number;
  readonly lastSeq: number;
  /** True for an entry of the session's tree, including the shared part of a fork. */
  hasEntry(id: string): boolean;
  input(messageId: string): 'unknown' | 'open' | 'settled';
}

export interface AppendPlan {
  readonly rows: readonly RecordRow[];
  /** The same, in the form for readers. */
  readonly records: readonly StoredRecord[];
  /** User and assistant messages among them. */
  readonly messages: number;
}

/**
 * Gives every record its place, or refuses all of them. The one definition of a well-formed log,
 * for every store.
 * @throws BulkheadError `internal`
 */
export function planAppend(
  sessionId: string,
  state: LogState,
  records: readonly NewRecord[],
  options: AppendOptions,
): AppendPlan {
  const rows: RecordRow[] = [];
  const read: StoredRecord[] = [];
  const entries = new Set<string>();
  const inputs = new Map<string, 'open' | 'settled'>();
  const hasEntry = (id: string): boolean => entries.has(id) || state.hasEntry(id);
  let { lastSeq: seq, lastPos: pos } = state;
  let messages = 0;
  for (const record of records) {
    pos += 1;
    if (record.visible) seq += 1;
    const row = toRow(sessionId, record, pos, record.visible ? seq : null);
    const stored = readable(sessionId, () => recordFromRow(row));
    if (row.entry !== null) {
      if (holdsChatMessage(stored, hasEntry)) messages += 1;
      entries.add(row.entry);
    }
    if (row.messageId !== null) {
      const known = inputs.get(row.messageId) ?? state.input(row.messageId);
      inputs.set(row.messageId, nextInputState(row, known));
    }
    rows.push(row);
    read.push(stored);
  }
  checkLeaf(sessionId, options.leaf ?? null, hasEntry);
  return { rows, records: read, messages };
}

function toRow(sessionId: string, record: NewRecord, pos: number, seq: number | null): RecordRow {
  const { time, turn, type, entry, messageId = null } = record;
  const row: RecordRow = {
    sessionId,
    pos,
    seq,
    time,
    turn,
    type,
    version: RECORD_VERSION,
    entry: entry?.id ?? null,
    parent: entry?.parent ?? null,
    messageId,
    text: toText(sessionId, record.body),
  };
  if (!Number.isSafeInteger(time)) throw refused(sessionId, `time ${time} is not a number of milliseconds`);
  for (const word of [turn, type, entry?.id, entry?.parent, messageId]) {
    if (typeof word === 'string' && !word.isWellFormed())
      throw refused(sessionId, 'a name is not Unicode text');
  }
  const needsMessage = type === 'input_accepted' || type === 'settled';
  if (needsMessage !== (messageId !== null)) {
    throw refused(
      sessionId,
      `a record of type ${type} ${needsMessage ? 'needs' : 'must not have'} a messageId`,
    );
  }
  if (type === 'input_accepted' && record.visible)
    throw refused(sessionId, 'input_accepted must not be visible');
  return row;
}

function toText(sessionId: string, body: object): string {
  try {
    return JSON.stringify(body);
  } catch (error) {
    throw refused(sessionId, describeError(error));
  }
}

function checkEntry({ sessionId, entry, parent }: StoredRecord, hasEntry: (id: string) => boolean): void {
  if (entry !== null && hasEntry(entry)) throw refused(sessionId, `entry ${entry} exists already`);
  if (parent !== null && !hasEntry(parent)) throw refused(sessionId, `parent ${parent} is not an entry`);
}

function checkLeaf(sessionId: string, leaf: string | null, hasEntry: (id: string) => boolean): void {
  if (leaf !== null && !hasEntry(leaf)) throw refused(sessionId, `leaf ${leaf} is not an entry`);
}

/**
 * Checks an entry; true if it counts in `SessionInfo.messages`: marks and results of tools don't.
 */
function holdsChatMessage(record: StoredRecord, hasEntry: (id: string) => boolean): boolean {
  checkEntry(record, hasEntry);
  const entry = readable(record.sessionId, () => entryFromRecord(record));
  if (entry.message !== undefined) return entry.message.role.case !== 'tool';
  const fault = faultOfMark(entry, hasEntry);
  if (fault !== undefined) throw refused(record.sessionId, fault);
  return false;
}

function readable<Read>(sessionId: string, read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    throw refused(sessionId, describeError(error));
  }
}

function nextInputState(row: RecordRow, known: 'unknown' | 'open' | 'settled'): 'open' | 'settled' {
  if (row.type === 'settled') {
    if (known !== 'open') throw refused(row.sessionId, `message ${row.messageId} is not open`);
    return 'settled';
  }
  if (known !== 'unknown') throw refused(row.sessionId, `message ${row.messageId} was accepted before`);
  return 'open';
}

function refused(sessionId: string, why: string): BulkheadError {
  return new BulkheadError('internal', `append to session ${sessionId} refused: ${why}`);
}
