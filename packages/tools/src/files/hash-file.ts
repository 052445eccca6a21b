import { createHash } from 'node:crypto';
import { readSync } from 'node:fs';
import { type Descriptor, sameVersion } from '@bulkhead/files';
import { breathe } from '../breathe.ts';

/** A larger file has no hash: hashing would block the worker's calls. */
const MAX_HASHED_BYTES = 64 * 1024 * 1024;

const CHUNK_BYTES = 256 * 1024;

/**
 * SHA-256 of a whole file, hex.
 * @param file open for reading
 * @returns undefined if it has more than `MAX_HASHED_BYTES` or changed while it was read
 * @throws BulkheadError `cancelled`; the system's error if it can't be read
 */
export async function hashFile(file: Descriptor, signal: AbortSignal): Promise<string | undefined> {
  const before = file.stat();
  if (before.size > MAX_HASHED_BYTES) return undefined;
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let at = 0; at <= MAX_HASHED_BYTES; ) {
    const got = readSync(file.fd, chunk, 0, chunk.length, at);
    if (got === 0) return sameVersion(before, file.stat()) ? hash.digest('hex') : undefined;
    hash.update(chunk.subarray(0, got));
    at += got;
    if (at > CHUNK_BYTES) await breathe(signal);
  }
  return undefined;
}
