import type { FileHandle } from 'node:fs/promises';
import { MAX_LINE_BYTES } from './chain.ts';

const CHUNK_BYTES = 1024 * 1024;

export interface FileLine {
  /** Without its line break. */
  readonly bytes: Buffer;
  /** Of its first byte, in the file. */
  readonly offset: number;
  /** False for the last line if its line break is missing. */
  readonly complete: boolean;
}

/**
 * Lines of a file up to where it ended when first read, holding one chunk at a time. A line longer than
 * any entry is given as incomplete and ends the reading.
 */
export async function* readLines(file: FileHandle): AsyncGenerator<FileLine> {
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let rest = Buffer.alloc(0);
  let offset = 0;
  for (;;) {
    const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, offset + rest.length);
    if (bytesRead === 0) break;
    const data = Buffer.concat([rest, chunk.subarray(0, bytesRead)]);
    let start = 0;
    for (let end = data.indexOf(10, start); end >= 0; end = data.indexOf(10, start)) {
      yield { bytes: data.subarray(start, end), offset: offset + start, complete: true };
      start = end + 1;
    }
    offset += start;
    rest = data.subarray(start);
    if (rest.length > MAX_LINE_BYTES) break;
  }
  if (rest.length > 0) yield { bytes: rest, offset, complete: false };
}
