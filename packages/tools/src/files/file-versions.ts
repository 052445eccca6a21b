import type { BigIntStats } from 'node:fs';
import { failed, type ObjectVersion, sameVersion } from '@bulkhead/files';

/** A file's state when its content was last seen. */
export interface FileVersion extends ObjectVersion {
  /** SHA-256, hex; undefined if the file was too big to be read whole. */
  readonly hash: string | undefined;
}

const MAX_REMEMBERED = 10_000;

export function fileVersion(stat: BigIntStats, hash: string | undefined): FileVersion {
  const { dev, ino, size, mtimeNs, ctimeNs } = stat;
  return { dev, ino, size, mtimeNs, ctimeNs, hash };
}

/** The file versions that a grant's session has seen; it can't overwrite any other. */
export class FileVersions {
  readonly #seen = new Map<string, FileVersion>();

  remember(key: string, version: FileVersion): void {
    this.#seen.delete(key);
    this.#seen.set(key, version);
    if (this.#seen.size <= MAX_REMEMBERED) return;
    const oldest = this.#seen.keys().next();
    if (oldest.done !== true) this.#seen.delete(oldest.value);
  }

  /**
   * Accepts a file never seen, and one with new times but the same content.
   * @param hash reads the present content; called only if times or identity differ
   * @throws BulkheadError `tool_failed` that asks to read the file again
   */
  refuseStale(key: string, now: BigIntStats, hash: () => string, shown: string): void {
    const seen = this.#seen.get(key);
    if (seen === undefined || sameVersion(seen, now)) return;
    if (seen.hash !== undefined && seen.hash === hash()) return;
    throw failed(shown, 'changed since it was last read; read it again first');
  }
}
