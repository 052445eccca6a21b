import { closeSync, fstatSync, fsyncSync, openSync, readSync, rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';

/**
 * True if a database file is shorter or longer than its header says (format:
 * sqlite.org/fileformat2.html, 1.3). Valid only for a closed database: an open one has its newest
 * state in the write-ahead log.
 */
export function isCut(path: string): boolean {
  const header = Buffer.alloc(32);
  const descriptor = openSync(path, 'r');
  try {
    if (readSync(descriptor, header, 0, 32, 0) < 32) return true;
    if (header.toString('latin1', 0, 16) !== 'SQLite format 3\0') return false;
    const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
    return fstatSync(descriptor).size !== pageSize * header.readUInt32BE(28);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Makes an empty file that only its owner can read, in place of the remains of an interrupted
 * attempt.
 */
export function makeEmpty(path: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${path}${suffix}`, { force: true });
  closeSync(openSync(path, 'wx', 0o600));
}

/** Waits until a file or a folder is on disk. */
export function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

export function pragma(database: DatabaseSync, name: string): unknown {
  const row = database.prepare(`PRAGMA ${name}`).get();
  return row === undefined ? undefined : Object.values(row)[0];
}
