import type { BigIntStats } from 'node:fs';
import { failed, kindName, lookAtEntry, shownName } from '@bulkhead/files';
import { BulkheadError } from '@bulkhead/protocol';
import { breathe } from '../breathe.ts';
import type { GrantedFiles } from '../files/granted-files.ts';
import type { TreeEntry } from '../files/tree-entries.ts';

/** Files that ripgrep reads for its settings without checking their kind first. */
const OBEYED_BY_RIPGREP: ReadonlySet<string> = new Set(['.gitignore', '.ignore', '.rgignore', 'exclude']);
const MAX_ENTRIES = 200_000;
/** Number of entries between two checks for cancellation. */
const BETWEEN_BREATHS = 2_000;

/**
 * Explains a silent search: ripgrep blocks forever on an ignore file that is a pipe (FT08).
 *
 * @returns undefined if no such file exists: then the search is only slow
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
    // ripgrep can't reach places outside the grant either.
    if (BulkheadError.is(error)) return undefined;
    throw error;
  }
}

function isHarmless(stat: BigIntStats): boolean {
  return stat.isFile() || stat.isDirectory();
}
