import { createHash } from 'node:crypto';
import { ftruncate, read, write } from 'node:fs';
import { promisify } from 'node:util';
import type { Descriptor } from '@bulkhead/files';

/** Memory that one copy takes, in bytes. */
const CHUNK_BYTES = 256 * 1024;

const readChunk = promisify(read);
const writeChunk = promisify(write);
const truncate = promisify(ftruncate);

export interface CopiedContent {
  /** SHA-256, hex. */
  readonly hash: string;
  readonly size: number;
}

/**
 * Reads a file to its end, from one open descriptor to another, in bounded memory. Skips chunks of
 * only zeros, so that a file with holes uses no more disk space than before.
 *
 * @param to open for writing, empty; undefined: only hash it
 * @throws the system's error; the signal's reason
 */
export async function copyContent(
  from: number,
  to: number | undefined,
  signal?: AbortSignal,
): Promise<CopiedContent> {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  const zeros = Buffer.alloc(CHUNK_BYTES);
  for (let size = 0; ; ) {
    signal?.throwIfAborted();
    const { bytesRead } = await readChunk(from, chunk, 0, CHUNK_BYTES, size);
    if (bytesRead === 0) {
      // A hole at the end needs an explicit length.
      if (to !== undefined) await truncate(to, size);
      return { hash: hash.digest('hex'), size };
    }
    const got = chunk.subarray(0, bytesRead);
    hash.update(got);
    if (to !== undefined && !got.equals(zeros.subarray(0, bytesRead))) await writeAll(to, got, size);
    size += bytesRead;
  }
}

async function writeAll(to: number, bytes: Buffer, at: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    written += (await writeChunk(to, bytes, written, bytes.length - written, at + written)).bytesWritten;
  }
}

/** Reads a file to its end for its hash, without a copy. */
export function hashOnly(file: Descriptor): Promise<CopiedContent> {
  return copyContent(file.fd, undefined);
}
