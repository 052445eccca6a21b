import { isAscii, isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { auditFileName } from './audit-files.ts';
import { type ChainHead, checkLine, MAX_LINE_BYTES } from './chain.ts';
import { eachLine } from './each-line.ts';

/** How far a file of the log can be trusted. */
export interface FileCheck {
  /** End of the chain after the last good line. */
  readonly head: ChainHead;
  /** Good lines, complete ones only. */
  readonly lines: number;
  /** Bytes of the good lines. */
  readonly bytes: number;
  /** Why the line after them is bad; undefined if nothing follows. */
  readonly bad?: string;
  /** The last line, if the file ends without a line break. */
  readonly torn?: Buffer;
}

/**
 * Told of each good entry, in order.
 * @param line byte 0x00, then the entry's line: the input of its leaf hash. Valid during the call.
 * @param n its number
 */
export type EntryVisitor = (line: Buffer, n: number) => void;

/** Reads a file of the log from its start and follows the chain from `head`. */
export async function checkFile(
  folder: string,
  number: number,
  head: ChainHead,
  parts: { readonly visit?: EntryVisitor; readonly signal?: AbortSignal | undefined } = {},
): Promise<FileCheck> {
  await using file = await open(join(folder, auditFileName(number)), 'r');
  let good: FileCheck = { head, lines: 0, bytes: 0 };
  let bad: string | undefined;
  const torn = await eachLine(
    file,
    (line, offset) => {
      const next = checkBytes(line.subarray(1), good.head);
      if (typeof next === 'string') {
        bad = next;
        return false;
      }
      good = { head: next, lines: good.lines + 1, bytes: offset + line.length };
      parts.visit?.(line, next.n);
      return true;
    },
    parts.signal,
  );
  if (bad !== undefined) return { ...good, bad };
  if (torn === undefined) return good;
  return { ...good, bad: torn.length > MAX_LINE_BYTES ? 'it is too long' : 'it is incomplete', torn };
}

/** As `checkLine`, for bytes. */
export function checkBytes(bytes: Buffer, head: ChainHead): ChainHead | string {
  if (isAscii(bytes)) return checkLine(bytes.toString('latin1'), head);
  return isUtf8(bytes) ? checkLine(bytes.toString('utf8'), head) : 'it is not UTF-8';
}
