import { hidesCharacters, memoryPath, type ProfileFile, type ProfileFiles } from '@bulkhead/memory';
import { BulkheadError } from '@bulkhead/protocol';
import { sha256 } from './memory-writer.ts';

/** Most of a file that is shown, bytes, and most that is read to count its entries. */
const MAX_SHOWN = 1024 * 1024;

/** A file of memory as a person sees it listed. */
export interface ShownFile extends ProfileFile {
  /** Lines that say something; -1 in a file too large to be counted. */
  readonly entries: number;
  /** Lines with invisible characters (FT58). */
  readonly hidden: number;
}

/** Files with what is in them, counted. */
export function shownFiles(files: ProfileFiles, listed: readonly ProfileFile[]): readonly ShownFile[] {
  return listed.map((file) => ({ ...file, ...counted(files, file.path) }));
}

/** The text of one. @throws BulkheadError `not_found`, `tool_failed` */
export function fileText(
  files: ProfileFiles,
  path: string,
): { readonly text: string; readonly isCut: boolean; readonly hash: string } {
  const read = memoryPath(path) === undefined ? undefined : files.read(path, MAX_SHOWN);
  if (read !== undefined)
    return { text: new TextDecoder().decode(read.bytes), isCut: read.isCut, hash: sha256(read.bytes) };
  throw new BulkheadError('not_found', `memory has no file ${path}`, {
    fix: '`bulkhead memory show` lists what there is.',
  });
}

function counted(files: ProfileFiles, path: string): Pick<ShownFile, 'entries' | 'hidden'> {
  try {
    const { text, isCut } = fileText(files, path);
    const lines = text.split(/\r?\n/u).filter((line) => line.trim() !== '' && !/^ {0,3}#/u.test(line));
    return { entries: isCut ? -1 : lines.length, hidden: lines.filter(hidesCharacters).length };
  } catch {
    // Gone meanwhile, or no right to read it: it is listed all the same.
    return { entries: -1, hidden: 0 };
  }
}
