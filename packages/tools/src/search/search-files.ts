import type { Descriptor } from '@bulkhead/files';
import { BulkheadError } from '@bulkhead/protocol';
import type { GrantedFiles } from '../files/granted-files.ts';
import type { Location } from '../files/location.ts';
import { openFileForReading } from '../files/open-file.ts';
import { compileGlob } from './glob.ts';
import { searchOutput } from './ripgrep.ts';
import { searchPrefix, startFolder } from './search-start.ts';
import { isUnreadable, shownPath } from './searched-path.ts';
import { whyStalled } from './stalled-search.ts';

/**
 * The files of a search. ripgrep opens files by name and may follow a link that was just swapped
 * in, so its output only selects candidates: the walk opens each one anew, and results hold only
 * bytes of that descriptor.
 */

/** An open file, with its name for people and models. */
export interface SearchedFile {
  readonly shown: string;
  readonly file: Descriptor;
}

export interface FolderSearch {
  readonly files: GrantedFiles;
  readonly ripgrep: string;
  /** Located for reading. */
  readonly start: Location;
  readonly glob: string | undefined;
}

const NUL = 0;
const MAX_PATH_BYTES = 16 * 1024;

/**
 * Returns files below the start folder that seem to match, sorted by path, without files that may
 * hold credentials. The receiver disposes the descriptors.
 *
 * @param arguments_ the pattern and its options, for ripgrep
 * @throws BulkheadError as `searchOutput`; `tool_failed` if the start is no folder
 */
export async function* filesToSearch(
  search: FolderSearch,
  arguments_: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<SearchedFile> {
  const prefix = searchPrefix(search.start);
  for await (const path of paths(search, ['--files-with-matches', ...arguments_], signal)) {
    if (isUnreadable(path)) continue;
    const opened = await openIfReadable(search.files, `${prefix}${shownPath(path)}`);
    if (opened !== undefined) yield opened;
  }
}

/**
 * How many files a search leaves out because they may hold credentials. Counted by name alone: a
 * number that depended on the pattern would reveal their content.
 */
export async function countLeftOut(search: FolderSearch, signal: AbortSignal): Promise<number> {
  let count = 0;
  for await (const path of paths(search, ['--files'], signal)) if (isUnreadable(path)) count += 1;
  return count;
}

async function* paths(
  { files, ripgrep, start, glob }: FolderSearch,
  arguments_: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const wanted = glob === undefined ? () => true : compileGlob(glob);
  const output = searchOutput(
    {
      ripgrep,
      within: startFolder(start),
      arguments: ['--null', ...plainExtension(glob), ...arguments_],
      separator: NUL,
      maxPieceBytes: MAX_PATH_BYTES,
      whyStalled: (stop) => whyStalled(files, stop),
    },
    signal,
  );
  for await (const path of output) if (path !== undefined && wanted(shownPath(path))) yield path;
}

/** `*.ext` becomes a type: unlike `--glob`, a type never includes an ignored file. */
function plainExtension(glob: string | undefined): string[] {
  if (glob === undefined || !/^\*\.[A-Za-z0-9_]+$/.test(glob)) return [];
  return [`--type-add=wanted:${glob}`, '--type=wanted'];
}

/** Skips a file that vanished, changed its kind or points elsewhere since it was found. */
async function openIfReadable(files: GrantedFiles, path: string): Promise<SearchedFile | undefined> {
  try {
    using location = await files.locateReadable(path);
    return { shown: path, file: openFileForReading(location, '') };
  } catch (error) {
    if (BulkheadError.is(error)) return undefined;
    throw error;
  }
}
