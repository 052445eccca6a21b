import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { auditFailed, auditFileName, listAuditFiles } from '../audit-files.ts';
import { checkLine, claimedHead } from '../chain.ts';
import { eachLineBack } from './each-line-back.ts';

/** Selects entries; an absent condition matches all. */
export interface EntryFilter {
  readonly action?: string;
  readonly session?: string;
  /** Milliseconds since the epoch: entries of this time or later. */
  readonly since?: number;
}

/** An entry as in the log, unverified: only `verifyAuditLog` verifies it. */
export interface ListedEntry {
  readonly n: number;
  readonly line: string;
  readonly time: string;
  readonly step: string;
  readonly action: string;
  readonly session: string;
  readonly tool: string;
  readonly details: unknown;
}

/**
 * Returns the last `limit` matching entries, oldest first. Reads from the end, and no more than
 * needed.
 * @throws BulkheadError `audit_failed` for a line that is not an entry
 */
export async function listEntries(
  folder: string,
  filter: EntryFilter,
  limit: number,
  signal?: AbortSignal,
): Promise<readonly ListedEntry[]> {
  const found: ListedEntry[] = [];
  const may = mayMatch(filter);
  let next: number | undefined;
  /** A wrong clock leaves entries out of order: only a whole older file ends a list by time. */
  let isFileOlder = true;
  const visit = (bytes: Buffer): boolean => {
    if (!may(bytes)) {
      next = undefined;
      isFileOlder = false;
      return true;
    }
    const entry = parseEntry(bytes.toString('utf8'), next);
    next = entry.n;
    if (isSince(entry, filter)) isFileOlder = false;
    if (matches(entry, filter)) found.push(entry);
    return found.length < limit;
  };
  const { entries } = await listAuditFiles(folder);
  for (const number of entries.toReversed()) {
    isFileOlder = true;
    await using file = await open(join(folder, auditFileName(number)), 'r');
    if (!(await eachLineBack(file, visit, signal)) || isFileOlder) break;
  }
  return found.toReversed();
}

/**
 * The start of every line of this action: members are in order (RFC 8785), and `action` is the
 * first.
 */
export function actionStart(action: string): Buffer {
  return Buffer.from(`\0{"action":${JSON.stringify(action)},`);
}

/** @param line byte 0x00, then the line */
export function startsWith(line: Buffer, start: Buffer): boolean {
  return line.length > start.length && line.subarray(0, start.length).equals(start);
}

/** Checks a line's bytes without parsing JSON: false for most that can't match. */
function mayMatch({ action, session }: EntryFilter): (line: Buffer) => boolean {
  const start = action === undefined ? undefined : actionStart(action).subarray(1);
  const part = session === undefined ? undefined : Buffer.from(`"session":${JSON.stringify(session)}`);
  return (line) =>
    (start === undefined || startsWith(line, start)) && (part === undefined || line.includes(part));
}

function isSince({ time }: ListedEntry, { since }: EntryFilter): boolean {
  return since === undefined || Date.parse(time) >= since;
}

function matches(entry: ListedEntry, filter: EntryFilter): boolean {
  return (filter.session === undefined || entry.session === filter.session) && isSince(entry, filter);
}

/** @param next number of the entry after it, if already read */
function parseEntry(line: string, next: number | undefined): ListedEntry {
  const head = claimedHead(line);
  if (head === undefined) {
    const which = next === undefined ? 'an entry' : `entry ${next - 1}`;
    throw auditFailed(`${which} of the audit log is bad: ${checkLine(line, { n: 0, self: '' })}`);
  }
  const { time, step, action, session, tool, details } = JSON.parse(line);
  return { n: head.n, line, time, step, action, session, tool, details };
}
