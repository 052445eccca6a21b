import { createHash } from 'node:crypto';

/** A file of a folder that the product would interpret. */
export interface TrustedFile {
  /** Relative to the folder, components joined by `/`. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** SHA-256 of its bytes, hex. */
  readonly sha256: string;
}

/** A difference from the folder's state when it was trusted. */
export interface TrustChange {
  /** Relative to the folder; `.` is the folder itself. */
  readonly path: string;
  readonly what: 'added' | 'changed' | 'removed' | 'replaced';
}

/**
 * SHA-256 (hex) over names, sizes and contents of all files: a person's approval is bound to it.
 */
export function digestOf(files: readonly TrustedFile[]): string {
  const hash = createHash('sha256').update('bulkhead trust 1\0');
  // No name holds a NUL, so no two lists have the same bytes.
  for (const { path, size, sha256 } of sorted(files)) hash.update(`${sha256} ${size} ${path}\0`);
  return hash.digest('hex');
}

/** @returns what differs, by path; nothing if all is as it was */
export function changesBetween(
  before: readonly TrustedFile[],
  now: readonly TrustedFile[],
): readonly TrustChange[] {
  const known = new Map(before.map((file) => [file.path, file]));
  const found = new Set(now.map(({ path }) => path));
  const changes: TrustChange[] = before
    .filter(({ path }) => !found.has(path))
    .map(({ path }) => ({ path, what: 'removed' }));
  for (const { path, sha256 } of now) {
    const was = known.get(path);
    if (was === undefined) changes.push({ path, what: 'added' });
    else if (was.sha256 !== sha256) changes.push({ path, what: 'changed' });
  }
  return sorted(changes);
}

/** By code unit: the same everywhere, whatever the language of the machine. */
export function sorted<Named extends { readonly path: string }>(list: readonly Named[]): Named[] {
  return list.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}
