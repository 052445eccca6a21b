import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncFolder } from '../append-file.ts';

/** @returns undefined if the file does not exist */
export function readKeyFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes atomically, also on a power loss; mode 0600. */
export function putKeyFile(path: string, text: string): void {
  const descriptor = openSync(`${path}.new`, 'w', 0o600);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  moveKeyFile(`${path}.new`, path);
}

/** Replaces a file by another, durably. */
export function moveKeyFile(from: string, to: string): void {
  renameSync(from, to);
  syncFolder(dirname(to));
}
