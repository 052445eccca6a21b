import type { BigIntStats } from 'node:fs';
import { failed, type ObjectVersion, sameVersion } from '@bulkhead/files';

/** A file as it was when its content was last seen. */
export interface FileVersion extends ObjectVersion {
  /** SHA-256, hex; undefined if the file was too big to be read whole. */
  readonly hash: string | undefined;
}

const MAX_REMEMBERED = 10_000;

export function fileVersion(stat: BigIntStats, hash: string | undefined): FileVersion {
  const { dev, ino, size, mtimeNs, ctimeNs } = stat;
  return { dev, ino, size, mtimeNs, ctimeNs, hash };
}

/** What a grant's session has seen of each file, so that it can't overwrite what it hasn't. */
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
   * A file never seen passes. One whose times changed but whose content is the same passes too.
   * @param hash reads the present content; called only if times or identity differ
   * @throws BulkheadError `tool_failed` that tells to read again
   */
  refuseStale(key: string, now: BigIntStats, hash: () => string, shown: string): void {
    const seen = this.#seen.get(key);
    if (seen === undefined || sameVersion(seen, now)) return;
    if (seen.hash !== undefined && seen.hash === hash()) return;
    throw failed(shown, 'changed since it was last read; read it again first');
  }
}
