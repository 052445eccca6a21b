import { open } from 'node:fs/promises';
import { BulkheadError } from '@bulkhead/protocol';

const PT_INTERP = 3;
const PROGRAM_HEADER_BYTES = 56;
const HEAD_BYTES = 64 * 1024;

/**
 * Path of the dynamic loader that a 64-bit little-endian ELF program names, or undefined for a
 * static one. Source: System V ABI, program header table.
 * @param path absolute path of the program
 * @throws BulkheadError `sandbox_unavailable` if the file is no such program
 */
export async function elfInterpreterOf(path: string): Promise<string | undefined> {
  await using file = await open(path, 'r');
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  return readElfInterpreter(buffer.subarray(0, bytesRead), path);
}

/**
 * The same, from a file's first bytes.
 * @param head at least the program headers and the name
 * @param path for messages
 */
export function readElfInterpreter(head: Buffer, path: string): string | undefined {
  const isElf64 = head.length >= 64 && head.readUInt32BE(0) === 0x7f454c46 && head[4] === 2 && head[5] === 1;
  if (!isElf64) throw notUnderstood(path);
  const table = Number(head.readBigUInt64LE(32));
  const count = head.readUInt16LE(56);
  for (let index = 0; index < count; index += 1) {
    const at = table + index * PROGRAM_HEADER_BYTES;
    if (at + PROGRAM_HEADER_BYTES > head.length) throw notUnderstood(path);
    if (head.readUInt32LE(at) !== PT_INTERP) continue;
    const start = Number(head.readBigUInt64LE(at + 8));
    const end = start + Number(head.readBigUInt64LE(at + 32));
    if (end > head.length || end <= start + 1) throw notUnderstood(path);
    return head.toString('utf8', start, end - 1);
  }
  return undefined;
}

function notUnderstood(path: string): BulkheadError {
  return new BulkheadError('sandbox_unavailable', `${path} is not a 64-bit program this sandbox understands`);
}
