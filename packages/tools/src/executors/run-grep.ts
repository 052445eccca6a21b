import { openFileForReading } from '../files/open-file.ts';
import { compileGlob } from '../search/glob.ts';
import { type MatchEvent, parseMatchEvent } from '../search/match-event.ts';
import { ResultLines } from '../search/result-lines.ts';
import { type Search, searchOutput } from '../search/ripgrep.ts';
import { searchPrefix, startFolder } from '../search/search-start.ts';
import { shownPath } from './run-find.ts';
import { success, type WorkerTool } from './worker-tool.ts';

interface GrepArguments {
  readonly pattern: string;
  readonly path: string;
  readonly glob?: string | undefined;
  readonly ignore_case: boolean;
  readonly limit: number;
}

const LINE_FEED = 0x0a;
const MAX_EVENT_BYTES = 1024 * 1024;
const MAX_LINE_CHARACTERS = 300;
const BEFORE_MATCH = 100;

/** Matching lines as `path:line: text`, by path; ignored, binary and very big files and `.git` left out. */
export const runGrep: WorkerTool<GrepArguments> = async (args, { files, ripgrep }, _update, signal) => {
  using location = files.locate(args.path);
  const isFile = location.stat?.isFile() === true;
  using file = isFile ? openFileForReading(location, '') : undefined;
  const search: Search = {
    ripgrep,
    cwd: isFile ? '/' : startFolder(location).path,
    ...(file === undefined ? {} : { stdin: file.fd }),
    arguments: grepArguments(args),
    separator: LINE_FEED,
    maxPieceBytes: MAX_EVENT_BYTES,
  };
  const prefix = searchPrefix(location);
  const pathOf = isFile ? () => location.shown : (event: MatchEvent) => `${prefix}${shownPath(event.path)}`;
  const wanted = args.glob === undefined || isFile ? () => true : compileGlob(args.glob);
  return success(await collect(search, args.limit, pathOf, (event) => wanted(shownPath(event.path)), signal));
};

function grepArguments(args: GrepArguments): string[] {
  return [
    '--json',
    '--max-filesize=50M',
    args.ignore_case ? '--ignore-case' : '--case-sensitive',
    ...plainExtension(args.glob),
    '-e',
    args.pattern,
  ];
}

/** `*.ext` narrows the search itself, by a type: unlike `--glob`, a type never brings back an ignored file. */
function plainExtension(glob: string | undefined): string[] {
  if (glob === undefined || !/^\*\.[A-Za-z0-9_]+$/.test(glob)) return [];
  return [`--type-add=wanted:${glob}`, '--type=wanted'];
}

async function collect(
  search: Search,
  limit: number,
  pathOf: (event: MatchEvent) => string,
  wanted: (event: MatchEvent) => boolean,
  signal: AbortSignal,
): Promise<string> {
  const found = new ResultLines(limit);
  let tooLong = 0;
  let more = false;
  for await (const json of searchOutput(search, signal)) {
    if (json === undefined) tooLong += 1;
    const event = json === undefined ? undefined : parseMatchEvent(json);
    if (event === undefined || !wanted(event)) continue;
    more = !found.add(`${pathOf(event)}:${event.lineNumber}: ${cutLine(event)}`);
    if (more) break;
  }
  if (found.count === 0 && tooLong === 0) return 'no matches';
  return found.text([
    ...(tooLong > 0 ? [`[${tooLong} matches in lines longer than 1 MB are left out]`] : []),
    ...(more ? [`[the first ${found.count} matches; narrow the pattern, the path or the glob]`] : []),
  ]);
}

/** The line, or the part of a long one around its first match. */
function cutLine(event: MatchEvent): string {
  const text = event.line.toString('utf8').replace(/\r?\n$/, '');
  if (text.length <= MAX_LINE_CHARACTERS) return text;
  const match = event.line.subarray(0, event.start).toString('utf8').length;
  const from = match <= MAX_LINE_CHARACTERS - BEFORE_MATCH ? 0 : match - BEFORE_MATCH;
  const part = text.slice(from, from + MAX_LINE_CHARACTERS).toWellFormed();
  return `${from > 0 ? '…' : ''}${part}${from + MAX_LINE_CHARACTERS < text.length ? '…' : ''}`;
}
