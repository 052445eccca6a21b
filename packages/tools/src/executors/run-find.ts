import { compileGlob } from '../search/glob.ts';
import { ResultLines } from '../search/result-lines.ts';
import { searchOutput } from '../search/ripgrep.ts';
import { searchPrefix, startFolder } from '../search/search-start.ts';
import { shownPath } from '../search/searched-path.ts';
import { success, type WorkerTool } from './worker-tool.ts';

interface FindArguments {
  readonly pattern: string;
  readonly path: string;
  readonly limit: number;
}

const NUL = 0;
const MAX_PATH_BYTES = 16 * 1024;

/** Files whose path below the start folder matches, sorted, ignored ones and `.git` left out. */
export const runFind: WorkerTool<FindArguments> = async (args, { files, ripgrep }, _update, signal) => {
  using location = files.locate(args.path, 'list');
  const folder = startFolder(location);
  const matches = compileGlob(args.pattern);
  const prefix = searchPrefix(location);
  const found = new ResultLines(args.limit);
  let more = false;
  const paths = searchOutput(
    {
      ripgrep,
      within: folder,
      arguments: ['--files', '--null'],
      separator: NUL,
      maxPieceBytes: MAX_PATH_BYTES,
    },
    signal,
  );
  for await (const path of paths) {
    if (path === undefined) continue;
    const shown = shownPath(path);
    if (!matches(shown)) continue;
    more = !found.add(`${prefix}${shown}`);
    if (more) break;
  }
  if (found.count === 0) return success('no files match');
  return success(
    found.text(more ? [`[the first ${found.count} files; narrow the pattern or the path]`] : []),
  );
};
