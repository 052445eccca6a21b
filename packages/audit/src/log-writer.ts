import { closeSync, fdatasync, fsyncSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { faultPoint } from '@bulkhead/protocol';
import { auditFileName } from './audit-files.ts';

const flushToDisk = promisify(fdatasync);

/** Puts text at the end of the log and begins new files. Not to be called again before it has answered. */
export interface LogWriter {
  /** On the disk when it resolves. After a failure the file may end anywhere: open the log anew. */
  write(text: string): Promise<void>;
  close(): void;
}

interface CurrentFile {
  readonly number: number;
  readonly path: string;
  readonly descriptor: number;
  readonly inode: bigint;
  size: number;
}

/**
 * @param number of the file to go on with, made if absent
 * @param rotateBytes size at which the next file is begun
 */
export function openWriter(folder: string, number: number, rotateBytes: number): LogWriter {
  let current = openFile(folder, number, 'a');
  let closed = false;
  return {
    async write(text) {
      if (current.size >= rotateBytes) {
        const next = openFile(folder, current.number + 1, 'ax');
        closeSync(current.descriptor);
        current = next;
      }
      checkUntouched(current);
      const bytes = Buffer.from(text);
      faultPoint('audit.before_write');
      for (let written = 0; written < bytes.length; ) {
        written += writeSync(current.descriptor, bytes, written);
      }
      faultPoint('audit.before_flush');
      await flushToDisk(current.descriptor);
      faultPoint('audit.after_flush');
      current.size += bytes.length;
    },
    close() {
      if (!closed) closeSync(current.descriptor);
      closed = true;
    },
  };
}

function openFile(folder: string, number: number, flags: 'a' | 'ax'): CurrentFile {
  const path = join(folder, auditFileName(number));
  const descriptor = openSync(path, flags, 0o600);
  syncFolder(folder);
  const { ino, size } = statSync(path, { bigint: true });
  return { number, path, descriptor, inode: ino, size: Number(size) };
}

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** A log that was removed, replaced, cut or added to behind the engine's back would take every write and keep none. */
function checkUntouched(file: CurrentFile): void {
  const { ino, size } = statSync(file.path, { bigint: true });
  if (ino !== file.inode) throw new Error(`${file.path} was replaced`);
  if (Number(size) !== file.size) throw new Error(`${file.path} has ${size} bytes instead of ${file.size}`);
}
