import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';

/**
 * Disk operations of making a home. A port, so that a test can interrupt after each operation, and
 * undo unflushed ones.
 */
export interface HomeFiles {
  /** Makes one folder with mode 0700. @throws the system's error, also if it exists */
  makeFolder(path: string): void;
  /** Gives a folder mode 0700. */
  makePrivate(path: string): void;
  /** Writes a new file with mode 0600. @throws the system's error, also if it exists */
  write(path: string, text: string): void;
  rename(from: string, to: string): void;
  remove(path: string): void;
  /** Waits until a file, or the names in a folder, are on disk. */
  flush(path: string): void;
}

export const systemHomeFiles: HomeFiles = {
  makeFolder: (path) => mkdirSync(path, { mode: 0o700 }),
  makePrivate: (path) => chmodSync(path, 0o700),
  write: (path, text) => writeFileSync(path, text, { mode: 0o600, flag: 'wx' }),
  rename: renameSync,
  remove: (path) => rmSync(path, { recursive: true, force: true }),
  flush: (path) => {
    const descriptor = openSync(path, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  },
};
