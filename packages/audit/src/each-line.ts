import type { FileHandle } from 'node:fs/promises';
import { MAX_LINE_BYTES } from './chain.ts';

const CHUNK_BYTES = 1024 * 1024;
const LINE_BREAK = 10;

/**
 * @param line byte 0x00, then the line without its line break: the input of the Merkle tree's hash.
 * The bytes are reused after the call.
 * @param offset of the line's first byte, in the file
 * @returns false to stop
 */
export type LineVisitor = (line: Buffer, offset: number) => boolean;

/**
 * Calls `visit` for each complete line of a file, in order, holding one chunk at a time.
 * @returns the text after the last line break, even if longer than any line may be; undefined if
 * there is none, or if `visit` stopped
 * @throws the reason of `signal`
 */
export async function eachLine(
  file: FileHandle,
  visit: LineVisitor,
  signal?: AbortSignal,
): Promise<Buffer | undefined> {
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let offset = 0;
  let kept = 0;
  for (;;) {
    signal?.throwIfAborted();
    const { bytesRead } = await file.read(chunk, 1 + kept, CHUNK_BYTES - 1 - kept, offset + kept);
    if (bytesRead === 0) break;
    const data = chunk.subarray(0, 1 + kept + bytesRead);
    let start = 1;
    for (let end = data.indexOf(LINE_BREAK, start); end >= 0; end = data.indexOf(LINE_BREAK, start)) {
      // Replaces the previous line break, which is no longer needed.
      data[start - 1] = 0;
      if (!visit(data.subarray(start - 1, end), offset + start - 1)) return undefined;
      start = end + 1;
    }
    offset += start - 1;
    kept = data.length - start;
    if (kept > MAX_LINE_BYTES) return Buffer.from(data.subarray(start));
    data.copyWithin(1, start);
  }
  return kept === 0 ? undefined : Buffer.from(chunk.subarray(1, 1 + kept));
}
