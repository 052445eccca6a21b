import * as z from 'zod';
import { success, type WorkerContext } from '../definitions/worker-tool.ts';
import type { Location } from '../files/location.ts';
import { openFileForReading } from '../files/open-file.ts';
import { compileGlob } from '../search/glob.ts';
import { ResultLines } from '../search/result-lines.ts';
import { placeOfFile, searchOutput } from '../search/ripgrep.ts';
import { countLeftOut, type FolderSearch, filesToSearch, type SearchedFile } from '../search/search-files.ts';
import { startFolder } from '../search/search-start.ts';
import { readingTool } from './reading-tool.ts';

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
/** Most files for one ripgrep: each costs a descriptor here and there. */
const MAX_BATCH = 64;

/**
 * Matching lines as `path:line: text`, sorted by path; leaves out ignored, binary and very big
 * files, `.git`, and files that may hold credentials [A2].
 */
export const runGrep = readingTool<GrepArguments, Location>({
  open: async ({ path, glob }, { files }) => {
    using guard = new DisposableStack();
    const location = guard.use(await files.locateReadable(path));
    if (location.stat?.isFile() !== true) startFolder(location);
    if (glob !== undefined) compileGlob(glob);
    guard.move();
    return location;
  },
  look: searchText,
  describe: ({ pattern, glob }, { shown }) =>
    `search ${shown}${glob === undefined ? '' : ` (${glob})`} for text that matches ${pattern}`,
});

async function searchText(
  args: GrepArguments,
  location: Location,
  { files, ripgrep }: WorkerContext,
  signal: AbortSignal,
) {
  const answer = new GrepAnswer(ripgrep, args);
  if (location.stat?.isFile() === true) {
    using file = openFileForReading(location, '');
    await answer.search([{ shown: location.shown, file }], signal);
    return success(answer.text(0));
  }
  const search = { files, ripgrep, start: location, glob: args.glob };
  await searchFolder(search, args, answer, signal);
  return success(answer.text(await countLeftOut(search, signal)));
}

async function searchFolder(
  search: FolderSearch,
  args: GrepArguments,
  answer: GrepAnswer,
  signal: AbortSignal,
): Promise<void> {
  using open = new DisposableStack();
  let batch: SearchedFile[] = [];
  for await (const found of filesToSearch(search, patternArguments(args), signal)) {
    open.use(found.file);
    batch.push(found);
    if (batch.length < Math.min(MAX_BATCH, args.limit)) continue;
    await answer.search(batch, signal);
    for (const { file } of batch) file[Symbol.dispose]();
    batch = [];
    if (answer.full) return;
  }
  if (batch.length > 0) await answer.search(batch, signal);
}

function patternArguments(args: GrepArguments): string[] {
  return ['--max-filesize=50M', args.ignore_case ? '--ignore-case' : '--case-sensitive', '-e', args.pattern];
}

/** The matches so far, file by file. */
class GrepAnswer {
  readonly #ripgrep: string;
  readonly #arguments: readonly string[];
  readonly #lines: ResultLines;
  #tooLong = 0;
  #full = false;

  constructor(ripgrep: string, args: GrepArguments) {
    this.#ripgrep = ripgrep;
    // A mapped file that shrinks during the search would kill ripgrep.
    this.#arguments = ['--json', '--no-mmap', ...patternArguments(args)];
    this.#lines = new ResultLines(args.limit);
  }

  /** True if some matches did not fit. */
  get full(): boolean {
    return this.#full;
  }

  async search(files: readonly SearchedFile[], signal: AbortSignal): Promise<void> {
    const output = searchOutput(
      {
        ripgrep: this.#ripgrep,
        within: files.map(({ file }) => file),
        arguments: this.#arguments,
        separator: LINE_FEED,
        maxPieceBytes: MAX_EVENT_BYTES,
        // These files are open and regular, so no lookup can meet a pipe.
        whyStalled: async () => undefined,
      },
      signal,
    );
    for await (const json of output) {
      if (json === undefined) this.#tooLong += 1;
      const event = json === undefined ? undefined : parseMatchEvent(json);
      const file = event === undefined ? undefined : files[placeOfFile(event.path) ?? -1];
      if (event === undefined || file === undefined) continue;
      this.#full = !this.#lines.add(`${file.shown}:${event.lineNumber}: ${cutLine(event)}`);
      if (this.#full) return;
    }
  }

  /** @param leftOut number of files that may hold credentials */
  text(leftOut: number): string {
    const notices = [
      ...(this.#tooLong > 0 ? [`[${this.#tooLong} matches in lines longer than 1 MB are left out]`] : []),
      ...(this.#full
        ? [`[the first ${this.#lines.count} matches; narrow the pattern, the path or the glob]`]
        : []),
      ...(leftOut > 0 ? [leftOutNotice(leftOut)] : []),
    ];
    const nothing = this.#lines.count === 0 && this.#tooLong === 0 && !this.#full;
    return nothing ? ['no matches', ...notices].join('\n') : this.#lines.text(notices);
  }
}

function leftOutNotice(count: number): string {
  return count === 1
    ? '[1 file that may hold credentials is left out]'
    : `[${count} files that may hold credentials are left out]`;
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

/**
 * Text, or base64 of bytes that are no UTF-8: ripgrep's JSON lines format, `grep_printer::JSON`.
 */
const bytesSchema = z
  .union([z.object({ text: z.string() }), z.object({ bytes: z.base64() })])
  .transform((value) => ('text' in value ? Buffer.from(value.text) : Buffer.from(value.bytes, 'base64')));

const matchSchema = z.object({
  type: z.literal('match'),
  data: z.object({
    path: bytesSchema,
    lines: bytesSchema,
    line_number: z.int(),
    submatches: z.array(z.object({ start: z.int() })),
  }),
});

interface MatchEvent {
  readonly path: Buffer;
  readonly line: Buffer;
  readonly lineNumber: number;
  /** Byte of the line at which the first match begins. */
  readonly start: number;
}

const MATCH_LINE = Buffer.from('{"type":"match"');

/** @returns undefined for every other event of the format */
function parseMatchEvent(json: Buffer): MatchEvent | undefined {
  if (!json.subarray(0, MATCH_LINE.length).equals(MATCH_LINE)) return undefined;
  const { data } = matchSchema.parse(JSON.parse(json.toString('utf8')));
  return {
    path: data.path,
    line: data.lines,
    lineNumber: data.line_number,
    start: data.submatches[0]?.start ?? 0,
  };
}
