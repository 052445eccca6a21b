import { auditFailed } from '../audit-files.ts';
import { checkLine, claimedHead } from '../chain.ts';
import { eachEntry } from './each-entry.ts';

/** Which entries; what is left out matches all. */
export interface EntryFilter {
  readonly action?: string;
  /** Of ids of actions. */
  readonly actionPrefix?: string;
  readonly session?: string;
  /** Milliseconds since the epoch: entries of this time or later. */
  readonly since?: number;
}

/** An entry as it stands in the log. Nothing vouches for it: `verifyAuditLog` does. */
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
 * The last `limit` entries that match, oldest first.
 * @throws BulkheadError `audit_failed` for a line that is no entry
 */
export async function listEntries(
  folder: string,
  filter: EntryFilter,
  limit: number,
  signal?: AbortSignal,
): Promise<readonly ListedEntry[]> {
  let kept: ListedEntry[] = [];
  const start = startOf(filter);
  await eachEntry(
    folder,
    (bytes, n) => {
      if (start !== undefined && !startsWith(bytes, start)) return true;
      const entry = parseEntry(bytes.toString('utf8', 1), n);
      if (matches(entry, filter)) kept.push(entry);
      if (kept.length >= 2 * limit) kept = kept.slice(-limit);
      return true;
    },
    signal,
  );
  return kept.slice(-limit);
}

function startOf({ action, actionPrefix }: EntryFilter): Buffer | undefined {
  if (action !== undefined) return actionStart(action);
  return actionPrefix === undefined ? undefined : actionStart(actionPrefix).subarray(0, -2);
}

/** How every line of this action starts: members are in order (RFC 8785), and `action` is the first. */
export function actionStart(action: string): Buffer {
  return Buffer.from(`\0{"action":${JSON.stringify(action)},`);
}

/** @param line byte 0x00, then the line */
export function startsWith(line: Buffer, start: Buffer): boolean {
  return line.length > start.length && line.subarray(0, start.length).equals(start);
}

function matches(entry: ListedEntry, { session, since }: EntryFilter): boolean {
  return (
    (session === undefined || entry.session === session) &&
    (since === undefined || Date.parse(entry.time) >= since)
  );
}

function parseEntry(line: string, n: number): ListedEntry {
  if (claimedHead(line) === undefined) {
    throw auditFailed(`entry ${n} of the audit log is bad: ${checkLine(line, { n: n - 1, self: '' })}`);
  }
  const { time, step, action, session, tool, details } = JSON.parse(line);
  return { n, line, time, step, action, session, tool, details };
}
