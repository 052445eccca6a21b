import { existsSync } from 'node:fs';
import { type EntryMark, eachEntryAfter } from '@bulkhead/audit';
import type { LogAgreement, StoredRecord } from '@bulkhead/sessions';
import * as z from 'zod';
import { type AuditedStep, AuditFold } from './audit-fold.ts';
import { type Loss, MAX_NAMED } from './loss.ts';

/** Version of a stored mark. One of another version marks nothing: everything is compared. */
const MARK_VERSION = 1;

const markSchema = z.object({
  v: z.literal(MARK_VERSION),
  n: z.int().positive(),
  self: z.string(),
  /** Of each session, the last position when the mark was set. Earlier versions noted none. */
  positions: z.record(z.string(), z.int()).optional(),
});

type Mark = z.infer<typeof markSchema>;

/** Steps that an action with an intent has in the audit log before its end is in the session log. */
const VOUCHING: ReadonlySet<string> = new Set(['STARTED', 'RECOVERED', 'REFUSED']);

export interface LogCheck {
  /** Entries that the audit log names and the session logs lack, by session id. */
  readonly losses: ReadonlyMap<string, Loss>;
  /** Actions with an effect that the audit log names as begun, without an end, and without an intent in the log. */
  readonly begun: ReadonlySet<string>;
  /** The last steps of open actions with an effect. */
  readonly steps: ReadonlyMap<string, AuditedStep>;
  /** True if the entries that were compared tell whether an action with its intent at this position was begun. */
  covers(sessionId: string, pos: number): boolean;
  /** Entries that were compared. */
  readonly entries: number;
  /**
   * Problems of the audit log: it is not the one the database was compared with, or lacks entries
   * that session logs hold.
   */
  readonly problems: readonly string[];
}

export type ComparedLogs = Pick<LogAgreement, 'mark' | 'standing' | 'positions' | 'recordsAfter'>;

/**
 * Compares the audit log with the session logs in both directions, from the entry on up to which the database says that both agreed. Actions that
 * have ended are read first: the audit log had their STARTED before. Then the audit log, and after it the positions: of what it names, all
 * was on the disk before. Changes nothing.
 * @param isOpen actions without a recorded end
 * @throws BulkheadError `audit_failed` for an entry that can't be read
 */
export async function checkLogs(
  auditFolder: string,
  store: ComparedLogs,
  isOpen: (action: string) => boolean = () => false,
): Promise<LogCheck> {
  // Before the positions are asked for: a mark that is set meanwhile must not go with an earlier tail.
  const mark = readMark(store.mark());
  const ended = endedActions(store, mark?.positions);
  if (!existsSync(auditFolder)) {
    const problems = [...(mark === undefined ? [] : [isMissing(mark)]), ...unnamed(ended)];
    return { ...NOTHING, problems };
  }
  const tail = await fold(auditFolder, store, isOpen, mark, ended);
  const whole =
    tail.found || mark === undefined ? undefined : await fold(auditFolder, store, isOpen, undefined, ended);
  const missing = whole === undefined || mark === undefined ? [] : [isMissing(mark)];
  const positions = mark === undefined ? {} : mark.positions;
  return {
    ...(whole ?? tail).check,
    covers: (id, pos) => missing.length === 0 && positions !== undefined && pos > (positions[id] ?? 0),
    problems: [...missing, ...unnamed(ended)],
  };
}

/** The text for `setMark`. */
export function markText({ n, self }: EntryMark, positions: ReadonlyMap<string, number>): string {
  return JSON.stringify({ v: MARK_VERSION, n, self, positions: Object.fromEntries(positions) });
}

const NOTHING: Omit<LogCheck, 'problems'> = {
  losses: new Map(),
  begun: new Set(),
  steps: new Map(),
  covers: () => false,
  entries: 0,
};

async function fold(
  folder: string,
  store: ComparedLogs,
  isOpen: (action: string) => boolean,
  mark: Mark | undefined,
  ended: Map<string, string>,
) {
  const folded = new AuditFold({
    standing: (id) => store.standing(id),
    hasAcceptance: (id, pos, self) => hasAcceptance(store, id, pos, self),
    isOpen,
  });
  let entries = 0;
  const found = await eachEntryAfter(folder, mark, (entry) => {
    entries += 1;
    folded.read(entry);
    if (VOUCHING.has(entry.step)) ended.delete(entry.action);
  });
  const { losses, begun, steps } = folded;
  return { found, check: { losses, begun, steps, entries } };
}

/** A record of a version that noted no entry counts for any. */
function hasAcceptance(store: ComparedLogs, sessionId: string, pos: number, self: string): boolean {
  try {
    const [record] = store.recordsAfter(sessionId, pos - 1, 1);
    return record?.type === 'loss_accepted' && (record.body.audit ?? self) === self;
  } catch {
    return false;
  }
}

function readMark(text: string | undefined): Mark | undefined {
  if (text === undefined) return undefined;
  try {
    return markSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function isMissing({ n }: EntryMark): string {
  return `the audit log is not the one that the session database was compared with: entry ${n} is missing or another one`;
}

/** @param ended descriptions by action */
function unnamed(ended: ReadonlyMap<string, string>): readonly string[] {
  if (ended.size === 0) return [];
  const named = [...ended.values()].slice(0, MAX_NAMED);
  const more = ended.size > named.length ? `; ${ended.size - named.length} more` : '';
  return [`the audit log lacks entries of actions that session logs hold: ${named.join('; ')}${more}`];
}

/** Records of a session that are read at once. */
const BATCH = 500;

type Store = Pick<LogAgreement, 'positions' | 'recordsAfter'>;

/**
 * Actions with an effect that were announced after the mark and have an end in the session log: the audit log must name each. Reads what was
 * written after the mark, and nothing for a database without positions.
 *
 * @param marked the positions at the mark
 * @returns a description of each, by action
 */
function endedActions(
  store: Store,
  marked: Readonly<Record<string, number>> | undefined,
): Map<string, string> {
  const ended = new Map<string, string>();
  if (marked === undefined) return ended;
  for (const [id, last] of store.positions()) {
    const from = marked[id] ?? 0;
    if (last > from) readSession(store, id, from, ended);
  }
  return ended;
}

function readSession(store: Store, sessionId: string, from: number, ended: Map<string, string>): void {
  const intended = new Map<string, string>();
  try {
    for (const { type, body } of eachRecord(store, sessionId, from)) {
      if (type === 'action_intent' && body.effect !== 'pure') intended.set(body.action, body.tool);
      if (type !== 'action_completed') continue;
      const tool = intended.get(body.action);
      const what = `action ${body.action} (${tool}) of session ${sessionId}`;
      if (tool !== undefined) ended.set(body.action, what);
    }
  } catch {
    // A damaged session is under quarantine, and named there.
  }
}

function* eachRecord(store: Store, sessionId: string, from: number): Iterable<StoredRecord> {
  let pos = from;
  let records: readonly StoredRecord[];
  do {
    records = store.recordsAfter(sessionId, pos, BATCH);
    yield* records;
    pos = records.at(-1)?.pos ?? pos;
  } while (records.length === BATCH);
}
