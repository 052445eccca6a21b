import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { auditFailed, auditFileName, listAuditFiles } from '../audit-files.ts';
import { claimedHead } from '../chain.ts';
import { eachLine } from '../each-line.ts';

/** An entry recorded by another store. */
export interface EntryMark {
  readonly n: number;
  /** Its `self`. */
  readonly self: string;
}

/** The values of an entry, unverified: only `verifyAuditLog` verifies them. */
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
 * Calls `visit` for each complete entry after the marked one, in order, and reads no file that ends
 * before it. Skips an incomplete last line, on which nothing depends.
 * @param mark undefined for all entries
 * @returns false, without a visit, if the log does not contain the marked entry: it is another log
 * @throws BulkheadError `audit_failed` for a line that is not an entry
 */
export async function eachEntryAfter(
  folder: string,
  mark: EntryMark | undefined,
  visit: (entry: TailEntry) => void,
): Promise<boolean> {
  const { entries: numbers } = await listAuditFiles(folder);
  const first = await fileOf(folder, numbers, mark?.n ?? 1);
  const reader = new TailReader(mark, visit);
  for (const number of numbers.filter((each) => each >= first)) {
    await using file = await open(join(folder, auditFileName(number)), 'r');
    await eachLine(file, (line) => reader.read(line));
    if (reader.bad !== undefined) throw auditFailed(`entry ${reader.bad} in ${auditFileName(number)} is bad`);
    if (reader.isOther) return false;
  }
  return reader.found;
}

class TailReader {
  readonly #mark: EntryMark | undefined;
  readonly #visit: (entry: TailEntry) => void;
  /** True once the marked entry was seen. */
  found: boolean;
  /** True if another entry has the number of the marked one. */
  isOther = false;
  /** The number of the invalid line. */
  bad: number | undefined;
  #next: number | undefined;

  constructor(mark: EntryMark | undefined, visit: (entry: TailEntry) => void) {
    this.#mark = mark;
    this.#visit = visit;
    this.found = mark === undefined;
  }

  /** @returns false to stop */
  read(line: Buffer): boolean {
    const n = this.#next ?? claimedHead(line.toString('utf8', 1))?.n;
    this.bad = n === undefined ? 1 : undefined;
    if (n === undefined) return false;
    this.#next = n + 1;
    if (this.#mark !== undefined && n < this.#mark.n) return true;
    if (this.#mark !== undefined && n === this.#mark.n) {
      this.found = claimedHead(line.toString('utf8', 1))?.self === this.#mark.self;
      this.isOther = !this.found;
      return this.found;
    }
    return this.#take(line, n);
  }

  #take(line: Buffer, n: number): boolean {
    if (!this.found) {
      this.isOther = true;
      return false;
    }
    const entry = parseEntry(line);
    if (entry?.n === n) this.#visit(entry);
    else this.bad = n;
    return entry?.n === n;
  }
}

/** The file with entry `n`, if any. */
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

/** Missing members are empty: a reader that needs one reports the problem. */
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
