import { success, type WorkerContext } from '../definitions/worker-tool.ts';
import type { Location } from '../files/location.ts';
import { compileGlob } from '../search/glob.ts';
import { ResultLines } from '../search/result-lines.ts';
import { searchOutput } from '../search/ripgrep.ts';
import { searchPrefix, startFolder } from '../search/search-start.ts';
import { shownPath } from '../search/searched-path.ts';
import { whyStalled } from '../search/stalled-search.ts';
import { readingTool } from './reading-tool.ts';

interface FindArguments {
  readonly pattern: string;
  readonly path: string;
  readonly limit: number;
}

const NUL = 0;
const MAX_PATH_BYTES = 16 * 1024;

/** Files whose path below the start folder matches, sorted, ignored ones and `.git` left out. */
export const runFind = readingTool<FindArguments, Location>({
  open: ({ path, pattern }, { files }) => {
    using guard = new DisposableStack();
    const location = guard.use(files.locate(path, 'list'));
    startFolder(location);
    compileGlob(pattern);
    guard.move();
    return location;
  },
  look: findFiles,
  describe: ({ pattern }, { shown }) => `look below ${shown} for files whose path matches ${pattern}`,
});

async function findFiles(
  args: FindArguments,
  location: Location,
  { files, ripgrep }: WorkerContext,
  signal: AbortSignal,
) {
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
      whyStalled: (stop) => whyStalled(files, stop),
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
}
