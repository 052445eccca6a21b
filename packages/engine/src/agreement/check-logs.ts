import { existsSync } from 'node:fs';
import { type EntryMark, eachEntryAfter } from '@bulkhead/audit';
import type { LogAgreement } from '@bulkhead/sessions';
import * as z from 'zod';
import { AuditFold } from './audit-fold.ts';
import type { Loss } from './loss.ts';

/** Version of a stored mark. One of another version marks nothing: everything is compared. */
const MARK_VERSION = 1;

const markSchema = z.object({ v: z.literal(MARK_VERSION), n: z.int().positive(), self: z.string() });

export interface LogCheck {
  /** What the audit log names and the session logs do not hold, by session id. */
  readonly losses: ReadonlyMap<string, Loss>;
  /** Actions with an effect that the audit log names as begun, without an end, and without an intent in the log. */
  readonly begun: ReadonlySet<string>;
  /** Entries that were compared. */
  readonly entries: number;
  /** Undefined if the audit log holds what the database was last compared with. */
  readonly problem?: string;
}

/**
 * Compares the audit log with the session logs, from the entry on up to which the database says that both agreed. The audit log is read first:
 * of what it names, all was on the disk before. Changes nothing.
 * @throws BulkheadError `audit_failed` for an entry that can't be read
 */
export async function checkLogs(
  auditFolder: string,
  store: Pick<LogAgreement, 'mark' | 'standing'>,
): Promise<LogCheck> {
  const mark = readMark(store.mark());
  if (!existsSync(auditFolder))
    return { ...NOTHING, ...(mark === undefined ? {} : { problem: isMissing(mark) }) };
  const tail = await fold(auditFolder, store, mark);
  if (tail.found || mark === undefined) return tail.check;
  return { ...(await fold(auditFolder, store, undefined)).check, problem: isMissing(mark) };
}

/** What `setMark` takes. */
export function markText({ n, self }: EntryMark): string {
  return JSON.stringify({ v: MARK_VERSION, n, self });
}

const NOTHING: LogCheck = { losses: new Map(), begun: new Set(), entries: 0 };

async function fold(folder: string, store: Pick<LogAgreement, 'standing'>, mark: EntryMark | undefined) {
  const folded = new AuditFold((id) => store.standing(id));
  let entries = 0;
  const found = await eachEntryAfter(folder, mark, (entry) => {
    entries += 1;
    folded.read(entry);
  });
  return { found, check: { losses: folded.losses, begun: folded.begun, entries } satisfies LogCheck };
}

function readMark(text: string | undefined): EntryMark | undefined {
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
