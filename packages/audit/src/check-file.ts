import { isAscii, isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { auditFileName } from './audit-files.ts';
import { type ChainHead, checkLine, claimedHead, MAX_LINE_BYTES } from './chain.ts';
import { eachLine } from './each-line.ts';

/** The valid part of a log file. */
export interface FileCheck {
  /** End of the chain after the last good line. */
  readonly head: ChainHead;
  /** Good lines, complete ones only. */
  readonly lines: number;
  /** Bytes of the good lines. */
  readonly bytes: number;
  /** Why the next line is bad; undefined if there is none. */
  readonly bad?: string;
  /** The last line, if the file ends without a line break. */
  readonly torn?: Buffer;
}

/**
 * Called with each good entry, in order.
 * @param line byte 0x00, then the entry's line: the input of its leaf hash. Valid during the call.
 * @param n its number
 */
export type EntryVisitor = (line: Buffer, n: number) => void;

export interface FileReading {
  readonly visit?: EntryVisitor;
  readonly signal?: AbortSignal | undefined;
  /** Up to this number the chain is not checked: a signed tree root covers those entries' bytes. */
  readonly vouched?: number;
}

/** Reads a file of the log from its start and follows the chain from `head`. */
export async function checkFile(
  folder: string,
  number: number,
  head: ChainHead,
  { visit, signal, vouched = 0 }: FileReading = {},
): Promise<FileCheck> {
  await using file = await open(join(folder, auditFileName(number)), 'r');
  let good: FileCheck = { head, lines: 0, bytes: 0 };
  let bad: string | undefined;
  const torn = await eachLine(
    file,
    (line, offset) => {
      const n = good.head.n + 1;
      const next = n < vouched ? { n, self: '' } : checkBytes(line.subarray(1), good.head, n === vouched);
      if (typeof next === 'string') {
        bad = next;
        return false;
      }
      good = { head: next, lines: good.lines + 1, bytes: offset + line.length };
      visit?.(line, n);
      return true;
    },
    signal,
  );
  if (bad !== undefined) return { ...good, bad };
  if (torn === undefined) return good;
  return { ...good, bad: torn.length > MAX_LINE_BYTES ? 'it is too long' : 'it is incomplete', torn };
}

/**
 * As `checkLine`, for bytes.
 * @param vouched true if the line's own values are accepted
 */
export function checkBytes(bytes: Buffer, head: ChainHead, vouched = false): ChainHead | string {
  if (!isUtf8(bytes)) return 'it is not UTF-8';
  const line = bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
  return vouched ? (claimedHead(line) ?? 'it is not an audit entry of this version') : checkLine(line, head);
}
