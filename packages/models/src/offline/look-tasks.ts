import { counted, fenced } from './answer-text.ts';
import { type FileText, parseFileText } from './file-text.ts';
import type { Intent, ReadPart } from './intent.ts';
import type { ToolOutcome } from './run-view.ts';
import { done, failed, type Talk, type Task, type TaskEnd, type ToolWish, WHICH_FILE } from './task.ts';

type IntentOf<K extends Intent['kind']> = Extract<Intent, { kind: K }>;

export function* listTask(intent: IntentOf<'list'>, talk: Talk): Task {
  const folder = intent.path ?? talk.folder;
  talk.folder = folder;
  const outcome = yield ls(folder);
  if (outcome.isError) return failed(`list ${folder}`, outcome);
  return done(`${inFolder(folder)} there is:\n${fenced(outcome.text)}`);
}

export function* rankTask(intent: IntentOf<'rank'>, talk: Talk): Task {
  const folder = intent.path ?? talk.folder;
  talk.folder = folder;
  const listed = yield* entriesOf(folder);
  if ('outcome' in listed) return failed(`list ${folder}`, listed.outcome);
  const found = extremeFiles(listed.entries, intent.order);
  const [first] = found;
  if (first === undefined) return done(`${inFolder(folder)} there are no files.`);
  talk.file = joined(folder, first.name);
  const size = counted(first.size, 'byte');
  if (found.length === 1)
    return done(`The ${intent.order} file ${inFolder(folder, true)} is ${first.name} (${size}).`);
  const names = found.map((entry) => entry.name).join(', ');
  return done(
    `${found.length} files tie for the ${intent.order} ${inFolder(folder, true)}, each ${size}: ${names}.`,
  );
}

export function* countFilesTask(intent: IntentOf<'count-files'>, talk: Talk): Task {
  const folder = intent.path ?? talk.folder;
  talk.folder = folder;
  const listed = yield* entriesOf(folder);
  if ('outcome' in listed) return failed(`list ${folder}`, listed.outcome);
  const files = listed.entries.filter((entry) => entry.type === '-').length;
  const folders = listed.entries.filter((entry) => entry.type === 'd').length;
  return done(`${inFolder(folder)} there are ${counted(files, 'file')} and ${counted(folders, 'folder')}.`);
}

export function* readTask(intent: IntentOf<'read'>, talk: Talk): Task {
  const path = intent.path ?? talk.file;
  if (path === undefined) return WHICH_FILE;
  talk.file = path;
  const part = intent.part;
  const outcome = yield part.kind === 'first' ? read(path, 1, part.lines) : read(path);
  if (outcome.isError) return failed(`read ${path}`, outcome);
  const text = parseFileText(outcome.text);
  if (part.kind !== 'last' || text.complete) return shown(path, part, text);
  const tail = yield read(path, Math.max(1, text.total - part.lines + 1), part.lines);
  return tail.isError ? failed(`read ${path}`, tail) : shown(path, part, parseFileText(tail.text));
}

export function* countTask(intent: IntentOf<'count'>, talk: Talk): Task {
  const path = intent.path ?? talk.file;
  if (path === undefined) return WHICH_FILE;
  talk.file = path;
  const outcome = yield read(path);
  if (outcome.isError) return failed(`read ${path}`, outcome);
  const text = parseFileText(outcome.text);
  if (text.instead !== undefined) return done(`${path} is no text: ${text.instead}`);
  const exact = intent.unit === 'lines' ? text.totalIsExact : text.complete;
  return done(
    `${path} has ${exact ? '' : 'at least '}${counted(countUnit(text, intent.unit), intent.unit.slice(0, -1))}.`,
  );
}

/** All entries of a folder, page by page. */
function* entriesOf(
  folder: string,
): Generator<ToolWish, { entries: ListEntry[] } | { outcome: ToolOutcome }, ToolOutcome> {
  const entries: ListEntry[] = [];
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const outcome: ToolOutcome = yield ls(folder, offset);
    if (outcome.isError) return { outcome };
    const listing = parseListing(outcome.text);
    entries.push(...listing.entries);
    offset = listing.nextOffset !== undefined && listing.nextOffset > offset ? listing.nextOffset : undefined;
  }
  return { entries };
}

function shown(path: string, part: ReadPart, text: FileText): TaskEnd {
  if (text.instead !== undefined) return done(`${path} is no text: ${text.instead}`);
  if (text.lines.length === 0) return done(`${path} is empty.`);
  const lines =
    part.kind === 'last'
      ? text.lines.slice(-part.lines)
      : part.kind === 'first'
        ? text.lines.slice(0, part.lines)
        : text.lines;
  const rest =
    part.kind === 'whole' && !text.complete ? ` (its first ${lines.length} of ${text.total} lines)` : '';
  const what =
    part.kind === 'whole' ? `${path}${rest}` : `The ${part.kind} ${counted(lines.length, 'line')} of ${path}`;
  return done(`${what}:\n${fenced(lines.join('\n'))}`);
}

function countUnit(text: FileText, unit: IntentOf<'count'>['unit']): number {
  if (unit === 'lines') return text.total;
  const whole = text.lines.join('\n');
  return unit === 'words' ? (whole.match(/\S+/g) ?? []).length : [...whole].length;
}

function ls(path: string, offset = 0): ToolWish {
  return {
    tool: 'ls',
    args: { path, ...(offset > 0 ? { offset } : {}) },
    say: `I list ${path === '.' ? 'the folder' : path}.`,
  };
}

function read(path: string, offset?: number, limit?: number): ToolWish {
  const range = offset === undefined || limit === undefined ? {} : { offset, limit };
  return { tool: 'read', args: { path, ...range }, say: `I read ${path}.` };
}

function inFolder(folder: string, small = false): string {
  const text = folder === '.' ? 'here' : `in ${folder}`;
  return small ? text : `${text[0]?.toUpperCase()}${text.slice(1)}`;
}

function joined(folder: string, name: string): string {
  return folder === '.' ? name : `${folder.replace(/\/+$/, '')}/${name}`;
}

/** One line of a result of `ls`. */
interface ListEntry {
  readonly type: '-' | 'd' | 'l';
  /** Bytes. */
  readonly size: number;
  readonly name: string;
}

interface Listing {
  readonly entries: readonly ListEntry[];
  /** Where the listing continues; undefined if it is complete. */
  readonly nextOffset: number | undefined;
}

const ENTRY = /^([-dl])\s+(\d+) (.+)$/;

/** Reads `<type> <size> <name>` lines and the paging notice; skips other lines. */
function parseListing(text: string): Listing {
  const lines = text.split('\n');
  const next = /offset=(\d+)/.exec(lines.findLast((line) => line.trim() !== '') ?? '')?.[1];
  return { entries: lines.flatMap(parseEntry), nextOffset: next === undefined ? undefined : Number(next) };
}

/**
 * The files of the greatest or smallest size: more than one if they tie. Folders and links don't
 * count.
 */
function extremeFiles(entries: readonly ListEntry[], order: 'largest' | 'smallest'): readonly ListEntry[] {
  const files = entries.filter((entry) => entry.type === '-');
  const sizes = files.map((file) => file.size);
  const wanted = sizes.reduce(
    (best, size) => (order === 'largest' ? Math.max(best, size) : Math.min(best, size)),
    sizes[0] ?? 0,
  );
  return files.filter((file) => file.size === wanted);
}

function parseEntry(line: string): ListEntry[] {
  const match = ENTRY.exec(line);
  const [, type, size, name] = match ?? [];
  if ((type !== '-' && type !== 'd' && type !== 'l') || name === undefined) return [];
  return [{ type, size: Number(size), name }];
}
