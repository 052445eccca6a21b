import { createHash } from 'node:crypto';
import { BulkheadError } from '@bulkhead/protocol';
import { showOnOneLine } from '../shown-text.ts';

/** Limits of a skill: bytes unpacked, files, folders above a file, bytes of one name. */
export const SKILL_LIMITS = { bytes: 32 * 1024 * 1024, files: 2_000, depth: 8, name: 255 } as const;

/** One file of a skill. */
export interface SkillFile {
  /** Relative to the skill's folder, components joined by `/`; as `checkPath` allows. */
  readonly path: string;
  readonly executable: boolean;
  readonly bytes: Uint8Array;
}

/**
 * The files of a skill, in memory, by path. This same list is judged, hashed, delivered and
 * written: nothing is read a second time in between.
 */
export class FileSet {
  readonly #files = new Map<string, SkillFile>();
  /** Spellings that some disks treat as one name. */
  readonly #folded = new Map<string, string>();
  #bytes = 0;

  get files(): readonly SkillFile[] {
    return [...this.#files.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** Bytes that may still be added. */
  get room(): number {
    return SKILL_LIMITS.bytes - this.#bytes;
  }

  get(path: string): SkillFile | undefined {
    return this.#files.get(path);
  }

  /**
   * @throws BulkheadError `blocked`: a path that points outside the folder, exists already (in any
   * case), or is not plain text; too many files or bytes
   */
  add(file: SkillFile): void {
    checkPath(file.path);
    if (this.#files.size >= SKILL_LIMITS.files) throw refused(`more than ${SKILL_LIMITS.files} files`);
    if (file.bytes.byteLength > this.room) throw tooManyBytes();
    this.#claim(file.path);
    this.#bytes += file.bytes.byteLength;
    this.#files.set(file.path, file);
  }

  /** SHA-256 (hex) over names, modes and bytes of all files: the value of a pin. */
  hash(): string {
    const hash = createHash('sha256').update('bulkhead skill 1\0');
    // No name holds a NUL and each length is included, so no two lists give the same bytes.
    for (const { path, executable, bytes } of this.files) {
      hash.update(`${path}\0${executable ? 'x' : '-'}\0${bytes.byteLength}\0`).update(bytes);
    }
    return hash.digest('hex');
  }

  /** A file can't also be a folder, and no two names may be equal on a disk that folds case. */
  #claim(path: string): void {
    const names = path.split('/');
    for (let depth = 1; depth <= names.length; depth += 1) {
      const spelled = names.slice(0, depth).join('/');
      const folded = spelled.normalize('NFKC').toLowerCase().toUpperCase();
      const known = this.#folded.get(folded);
      const own = depth === names.length ? `file ${spelled}` : `folder ${spelled}`;
      if (known !== undefined && (known !== own || own.startsWith('file'))) {
        throw refused(`${shown(path)} is there twice, or differs from another name only in its case`);
      }
      this.#folded.set(folded, own);
    }
  }
}

/**
 * @throws BulkheadError `blocked` unless it stays below its folder on every system, and is visible
 */
function checkPath(path: string): void {
  const names = path.split('/');
  if (names.length > SKILL_LIMITS.depth)
    throw refused(`${shown(path)} lies deeper than ${SKILL_LIMITS.depth} folders`);
  if (names.some((name) => name === '' || name === '.' || name === '..')) {
    throw refused(`${shown(path)} does not stay in its folder`);
  }
  if (names.some((name) => Buffer.byteLength(name) > SKILL_LIMITS.name))
    throw refused(`${shown(path)} is too long`);
  // A trailing blank or dot, a colon and a backslash have another meaning on other systems.
  if (/[\\:]/.test(path) || names.some((name) => /[ .]$/.test(name)) || showOnOneLine(path).text !== path) {
    throw refused(`${shown(path)} has characters that no name of a skill's file may have`);
  }
}

/** @throws BulkheadError always */
export function tooManyBytes(): BulkheadError {
  return refused(`more than ${SKILL_LIMITS.bytes / 1024 / 1024} MiB`);
}

export function refused(what: string, cause?: unknown): BulkheadError {
  return new BulkheadError('blocked', `not taken as a skill: ${what}`, {
    cause,
    fix: 'docs/skills.md says what a skill may hold.',
  });
}

/** A path for a message: one line, bounded. */
export function shown(path: string): string {
  return JSON.stringify(showOnOneLine(path.slice(0, 200)).text);
}

/** Decodes a name from an archive's bytes. @throws BulkheadError if it is not UTF-8 */
export function nameIn(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw refused('the archive has a name that is not UTF-8 text', cause);
  }
}
