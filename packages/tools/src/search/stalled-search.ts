import type { BigIntStats } from 'node:fs';
import { failed, kindName, lookAtEntry, shownName } from '@bulkhead/files';
import { BulkheadError } from '@bulkhead/protocol';
import { breathe } from '../breathe.ts';
import type { GrantedFiles } from '../files/granted-files.ts';
import type { TreeEntry } from '../files/tree-entries.ts';

/** Files that ripgrep opens for what they say about others, without looking at their kind first. */
const OBEYED_BY_RIPGREP: ReadonlySet<string> = new Set(['.gitignore', '.ignore', '.rgignore', 'exclude']);
const MAX_ENTRIES = 200_000;
/** Entries between two looks at whether the call was cancelled. */
const BETWEEN_BREATHS = 2_000;

/**
 * Why a search says nothing: ripgrep waits for ever at an ignore file that is a pipe (FT08).
 *
 * @returns undefined if nothing of the kind is there: then the search is only slow
 * @throws BulkheadError `cancelled`
 */
export async function whyStalled(
  files: GrantedFiles,
  signal: AbortSignal,
): Promise<BulkheadError | undefined> {
  let count = 0;
  for (const found of files.entries(MAX_ENTRIES)) {
    count += 1;
    if (count % BETWEEN_BREATHS === 0) await breathe(signal);
    const reason = OBEYED_BY_RIPGREP.has(found.entry.name.toString()) ? obstacle(files, found) : undefined;
    if (reason !== undefined) {
      return failed(
        found.names.map(shownName).join('/'),
        `${reason}; remove it, or no search can be made here`,
      );
    }
  }
  return undefined;
}

function obstacle(files: GrantedFiles, { folder, names, entry }: TreeEntry): string | undefined {
  const stat = lookAtEntry(folder, entry.name);
  if (stat === undefined) return undefined;
  if (!stat.isSymbolicLink()) return isHarmless(stat) ? undefined : `is ${kindName(stat)}`;
  try {
    using target = files.locate(names.map(shownName).join('/'), 'list');
    return target.stat === undefined || isHarmless(target.stat)
      ? undefined
      : `leads to ${kindName(target.stat)}`;
  } catch (error) {
    // What leads out of the grant is out of ripgrep's reach, too.
    if (BulkheadError.is(error)) return undefined;
    throw error;
  }
}

function isHarmless(stat: BigIntStats): boolean {
  return stat.isFile() || stat.isDirectory();
}
