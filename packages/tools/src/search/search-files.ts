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
 * The files of a search. ripgrep opens what it finds by name and may be led by a link that was swapped in
 * meanwhile, so its word only says which files to look at: each is opened anew by the walk, and only what comes
 * out of that descriptor is told.
 */

/** An open file, and how it is called towards people and models. */
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
 * Files below the start folder that seem to hold a match, sorted by path; files that may hold credentials are not
 * among them. The receiver disposes the descriptors.
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
 * How many files a search leaves out because they may hold credentials. Counted by name alone: a number that
 * depended on the pattern would tell what is in them.
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

/** `*.ext` narrows the search itself, by a type: unlike `--glob`, a type never brings back an ignored file. */
function plainExtension(glob: string | undefined): string[] {
  if (glob === undefined || !/^\*\.[A-Za-z0-9_]+$/.test(glob)) return [];
  return [`--type-add=wanted:${glob}`, '--type=wanted'];
}

/** A file that vanished, changed its kind or came to lead elsewhere since it was found is passed over. */
async function openIfReadable(files: GrantedFiles, path: string): Promise<SearchedFile | undefined> {
  try {
    using location = await files.locateReadable(path);
    return { shown: path, file: openFileForReading(location, '') };
  } catch (error) {
    if (BulkheadError.is(error)) return undefined;
    throw error;
  }
}
