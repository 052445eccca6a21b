import { isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { auditFileName } from './audit-files.ts';
import { type ChainHead, checkLine, MAX_LINE_BYTES } from './chain.ts';
import { type FileLine, readLines } from './read-lines.ts';

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
  readonly torn?: FileLine;
}

/** Reads a file of the log from its start and follows the chain from `head`. */
export async function checkFile(
  folder: string,
  number: number,
  head: ChainHead,
  signal?: AbortSignal,
): Promise<FileCheck> {
  await using file = await open(join(folder, auditFileName(number)), 'r');
  let good: FileCheck = { head, lines: 0, bytes: 0 };
  for await (const line of readLines(file)) {
    signal?.throwIfAborted();
    if (!line.complete) {
      const bad = line.bytes.length > MAX_LINE_BYTES ? 'it is too long' : 'it is incomplete';
      return { ...good, bad, torn: line };
    }
    const next = checkBytes(line.bytes, good.head);
    if (typeof next === 'string') return { ...good, bad: next };
    good = { head: next, lines: good.lines + 1, bytes: line.offset + line.bytes.length + 1 };
  }
  return good;
}

/** As `checkLine`, for bytes. */
export function checkBytes(bytes: Buffer, head: ChainHead): ChainHead | string {
  return isUtf8(bytes) ? checkLine(bytes.toString('utf8'), head) : 'it is not UTF-8';
}
