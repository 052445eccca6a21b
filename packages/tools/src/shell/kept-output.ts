import { readSync } from 'node:fs';
import { join } from 'node:path';
import { Descriptor, systemCode } from '@bulkhead/files';
import type { TextPiece } from '../definitions/execution.ts';

/** Actions whose names may be file names. */
const PLAIN_ID = /^[A-Za-z0-9_-]{1,64}$/;

const CONTINUATION_MASK = 0xc0;
const CONTINUATION = 0x80;
/** Bytes of the longest character, less one. */
const LONGEST_REST = 3;

/**
 * Reads a part of a command's kept output, which `OutputFile` wrote with secrets redacted. No link
 * is followed, and a name that is not a plain id names nothing.
 *
 * @param folder of the session's outputs, absolute
 * @param id of the command's action
 * @param offset in bytes; a character that it cuts is left out
 * @param limit bytes of the part
 * @returns undefined if no output is kept under this id
 */
export function readKeptOutput(
  folder: string,
  id: string,
  offset: number,
  limit: number,
): TextPiece | undefined {
  if (!PLAIN_ID.test(id)) return undefined;
  using file = openFile(join(folder, `${id}.txt`));
  if (file === undefined || !file.stat().isFile()) return undefined;
  using content = file.openContent();
  const size = Number(content.stat().size);
  const bytes = Buffer.alloc(Math.max(0, Math.min(limit + LONGEST_REST, size - offset)));
  const got = bytes.length === 0 ? 0 : readSync(content.fd, bytes, 0, bytes.length, offset);
  const start = offset === 0 ? 0 : restOfCharacter(bytes.subarray(0, got), 0);
  const atEnd = offset + got >= size && got <= limit;
  const end = atEnd ? got : Math.min(got, limit + restOfCharacter(bytes.subarray(0, got), limit));
  return { text: bytes.toString('utf8', start, end), next: offset + end, size };
}

function openFile(path: string): Descriptor | undefined {
  try {
    return Descriptor.ofTrustedFile(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Bytes at `at` that belong to a character before it. */
function restOfCharacter(bytes: Buffer, at: number): number {
  let count = 0;
  while (count < LONGEST_REST && isContinuation(bytes[at + count])) count += 1;
  return count;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & CONTINUATION_MASK) === CONTINUATION;
}
