import { BulkheadError } from '@bulkhead/protocol';
import { addLines, changeLine, hasHeading } from './edit-lines.ts';
import { plainText } from './line-text.ts';
import { type MemoryTarget, targetPath } from './memory-path.ts';
import type { ProfileFiles, ReadFile } from './profile-files.ts';
import { findSameFact } from './same-fact.ts';

/** A heading of this name gets the day of writing: automatic notes are kept separate. */
export const AUTO_HEADING = 'Auto-captured';

const HEADINGS: Readonly<Record<MemoryTarget, string>> = {
  memory: 'Notes',
  daily: 'Notes',
  user: 'About the user',
  agents: 'Instructions',
  heartbeat: 'Now and then',
};
const TITLES: Readonly<Record<MemoryTarget, string>> = {
  memory: 'Memory',
  daily: '',
  user: 'User',
  agents: 'Agents',
  heartbeat: 'Heartbeat',
};
/** Valid until removed, so the day of writing is not recorded. */
const UNDATED: readonly MemoryTarget[] = ['agents', 'heartbeat'];

/** A note to remember. */
export interface MemoryNote {
  /** Each of its lines becomes a line of the file. */
  readonly text: string;
  readonly target: MemoryTarget;
  /** The heading for the note; the target's default if empty. */
  readonly heading: string;
  /** The existing line it replaces, exactly; none if empty. */
  readonly replaces: string;
  /** In the person's time zone, `YYYY-MM-DD`. */
  readonly date: string;
}

/** The planned change of a note's file. */
export interface PlannedNote {
  readonly path: string;
  readonly before: ReadFile | undefined;
  /** Undefined if nothing would change. */
  readonly after: Uint8Array | undefined;
  /** New lines, as they will be written. */
  readonly added: readonly string[];
  /** A new heading in the note's own words: it has content, as a line does. */
  readonly newHeading?: string;
  /** The removed line, as written. */
  readonly removed: string | undefined;
  /** Parts of the text that the file already has, in the file's words. */
  readonly known: readonly string[];
}

/**
 * Plans adding a note to the current file: its lines under a heading, without lines whose facts
 * exist already. Writes nothing.
 *
 * @throws BulkheadError `invalid_arguments` for a text without content and for a missing line;
 * `tool_failed` if the file can't be read or is too large
 */
export function planNote(files: ProfileFiles, note: MemoryNote): PlannedNote {
  const path = targetPath(note.target, note.date);
  const before = files.readWhole(path);
  const said = linesOf(note.text);
  if (said.length === 0) throw new BulkheadError('invalid_arguments', 'the text says nothing');
  const standing = before === undefined ? [] : new TextDecoder().decode(before.bytes).split(/\r?\n/u);
  if (note.replaces.trim() !== '') return replaced(path, before, standing, said, note);
  const known: string[] = [];
  const fresh: string[] = [];
  for (const line of said) {
    const there = findSameFact(line, standing) ?? findSameFact(line, fresh);
    if (there === undefined) fresh.push(line);
    else known.push(there.trim());
  }
  const heading = headingOf(note);
  const added = fresh.map((line) => bullet(line, note, heading));
  const after =
    added.length === 0 ? undefined : addLines(before?.bytes, { heading, lines: added, title: titleOf(note) });
  const isNew = after !== undefined && !isOwn(heading, note) && !hasHeading(before?.bytes, heading);
  return { path, before, after, added, ...(isNew ? { newHeading: heading } : {}), removed: undefined, known };
}

/**
 * Writes a plan. @throws BulkheadError `tool_failed` if the file has changed since: no data is lost
 */
export function writePlanned(files: ProfileFiles, planned: PlannedNote): void {
  if (planned.after !== undefined) files.replace(planned.path, planned.after, planned.before);
}

function replaced(
  path: string,
  before: ReadFile | undefined,
  standing: readonly string[],
  said: readonly string[],
  note: MemoryNote,
): PlannedNote {
  const wanted = plainText(note.replaces);
  const removed = standing.findLast((line) => plainText(line) === wanted);
  const text = bullet(said.join(' '), note, headingOf(note));
  const after =
    removed === undefined || before === undefined ? undefined : changeLine(before.bytes, removed, text);
  if (after === undefined) {
    throw new BulkheadError(
      'invalid_arguments',
      `${path} has no line that reads ${JSON.stringify(note.replaces)}`,
      {
        fix: 'Give the line as memory_search shows it, or leave `replaces` out.',
      },
    );
  }
  const isSame = removed !== undefined && plainText(removed) === plainText(text);
  return isSame
    ? { path, before, after: undefined, added: [], removed: undefined, known: [removed.trim()] }
    : { path, before, after, added: [text], removed, known: [] };
}

/** Lines with content, without marks that would make them more than a list entry. */
function linesOf(text: string): readonly string[] {
  return text
    .split(/[\r\n\u2028\u2029]+/u)
    .map((line) =>
      line
        .replaceAll(/\p{Cc}/gu, ' ')
        .replace(/^\s*(?:[-*+]\s+|#{1,6}\s+|>\s*)*/u, '')
        .trim(),
    )
    .filter((line) => plainText(line) !== '');
}

/** The day occurs once: in the heading, in the name of the file, or in the line. */
function bullet(line: string, { target, date }: MemoryNote, heading: string): string {
  const isDated =
    target === 'daily' || UNDATED.includes(target) || heading.includes(date) || line.startsWith(`${date}:`);
  return isDated ? `- ${line}` : `- ${date}: ${line}`;
}

function headingOf({ heading, target, date }: MemoryNote): string {
  const [first = ''] = linesOf(heading);
  // In its later form: no closing signs, and one heading instead of a trail.
  const given = first.replaceAll(' > ', ' - ').replace(/[\s#]+$/u, '');
  if (given.toLowerCase() === AUTO_HEADING.toLowerCase()) return `${AUTO_HEADING} -- ${date}`;
  return given === '' ? HEADINGS[target] : given;
}

/** True for a heading that the engine chose. */
function isOwn(heading: string, { target, date }: MemoryNote): boolean {
  return heading === HEADINGS[target] || heading === `${AUTO_HEADING} -- ${date}`;
}

function titleOf({ target, date }: MemoryNote): string {
  return target === 'daily' ? date : TITLES[target];
}
