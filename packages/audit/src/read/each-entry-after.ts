import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { auditFailed, auditFileName, listAuditFiles } from '../audit-files.ts';
import { claimedHead } from '../chain.ts';
import { eachLine } from '../each-line.ts';

/** An entry that somebody else has noted. */
export interface EntryMark {
  readonly n: number;
  /** Its `self`. */
  readonly self: string;
}

/** What an entry says of itself. Nothing vouches for it: `verifyAuditLog` does. */
export interface TailEntry {
  readonly n: number;
  readonly self: string;
  readonly step: string;
  readonly action: string;
  readonly hash: string;
  readonly session: string;
  readonly tool: string;
  readonly logged?: number | undefined;
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * Calls `visit` for each complete entry after the marked one, in order, and reads no file that ends before it. An incomplete last line is
 * left out: no one rests on it.
 * @param mark undefined for all entries
 * @returns false, having visited nothing, if the log does not hold the marked entry: it is not the log that was marked
 * @throws BulkheadError `audit_failed` for a line that is no entry
 */
export async function eachEntryAfter(
  folder: string,
  mark: EntryMark | undefined,
  visit: (entry: TailEntry) => void,
): Promise<boolean> {
  const { entries: numbers } = await listAuditFiles(folder);
  const first = await fileOf(folder, numbers, mark?.n ?? 1);
  let next: number | undefined;
  let found = mark === undefined;
  for (const number of numbers.filter((each) => each >= first)) {
    await using file = await open(join(folder, auditFileName(number)), 'r');
    let bad: number | undefined;
    await eachLine(file, (line) => {
      const place = next ?? claimedHead(line.toString('utf8', 1))?.n;
      if (place === undefined) {
        bad = 1;
        return false;
      }
      next = place + 1;
      if (mark !== undefined && place <= mark.n) {
        if (place === mark.n) found = claimedHead(line.toString('utf8', 1))?.self === mark.self;
        return place < mark.n || found;
      }
      const entry = found ? parseEntry(line) : undefined;
      if (entry?.n !== place) bad = place;
      if (entry === undefined || bad !== undefined) return false;
      visit(entry);
      return true;
    });
    if (mark !== undefined && !found && (next ?? 0) > mark.n) return false;
    if (bad !== undefined) throw auditFailed(`entry ${bad} in ${auditFileName(number)} is bad`);
  }
  return found;
}

/** The file that holds entry `n`, if any does. */
async function fileOf(folder: string, numbers: readonly number[], n: number): Promise<number> {
  for (const number of numbers.toReversed()) {
    await using file = await open(join(folder, auditFileName(number)), 'r');
    let start: number | undefined;
    await eachLine(file, (line) => {
      start = claimedHead(line.toString('utf8', 1))?.n;
      return false;
    });
    if (start !== undefined && start <= n) return number;
  }
  return 1;
}

/** Missing members are empty: whoever needs one finds nothing, and says so. */
function parseEntry(line: Buffer): TailEntry | undefined {
  try {
    const read: unknown = JSON.parse(line.toString('utf8', 1));
    if (!isRecord(read) || typeof read['n'] !== 'number' || !isRecord(read['details'])) return undefined;
    const text = (name: string): string => String(read[name] ?? '');
    const logged = read['logged'];
    return {
      n: read['n'],
      self: text('self'),
      step: text('step'),
      action: text('action'),
      hash: text('hash'),
      session: text('session'),
      tool: text('tool'),
      ...(typeof logged === 'number' ? { logged } : {}),
      details: read['details'],
    };
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
