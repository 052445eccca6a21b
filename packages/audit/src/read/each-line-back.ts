import type { FileHandle } from 'node:fs/promises';
import { auditFailed } from '../audit-files.ts';
import { MAX_LINE_BYTES } from '../chain.ts';

const CHUNK_BYTES = 256 * 1024;
const LINE_BREAK = 10;

/**
 * Calls `visit` for each complete line of a file, the last one first, holding one chunk and one
 * line at a time. Text after the last line break is not a line.
 * @param visit receives a line without its line break; false stops
 * @returns false if it was stopped
 * @throws BulkheadError `audit_failed` for a line over the length limit; the reason of `signal`
 */
export async function eachLineBack(
  file: FileHandle,
  visit: (line: Buffer) => boolean,
  signal?: AbortSignal,
): Promise<boolean> {
  /**
   * The part read so far of a line whose start lies further to the front; undefined until the last
   * line break is found.
   */
  let rest: Buffer | undefined;
  for await (const chunk of chunksBack(file, signal)) {
    let right = chunk.length;
    for (let at = chunk.lastIndexOf(LINE_BREAK); at >= 0; at = lastBreak(chunk, at)) {
      if (rest !== undefined && !visit(Buffer.concat([chunk.subarray(at + 1, right), rest]))) return false;
      right = at;
      rest = Buffer.alloc(0);
    }
    rest = rest && Buffer.concat([chunk.subarray(0, right), rest]);
    if (rest !== undefined && rest.length > MAX_LINE_BYTES)
      throw auditFailed('a line of the audit log is too long');
  }
  return rest === undefined || visit(rest);
}

/** The last one first. */
async function* chunksBack(file: FileHandle, signal: AbortSignal | undefined): AsyncGenerator<Buffer> {
  for (let end = (await file.stat()).size; end > 0; end = Math.max(0, end - CHUNK_BYTES)) {
    signal?.throwIfAborted();
    const length = Math.min(end, CHUNK_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, end - length);
    if (bytesRead < length) throw auditFailed('a file of the audit log was cut while it was read');
    yield buffer;
  }
}

/** Searches before this position; a negative one would count from the end. */
function lastBreak(buffer: Buffer, before: number): number {
  return before === 0 ? -1 : buffer.lastIndexOf(LINE_BREAK, before - 1);
}
