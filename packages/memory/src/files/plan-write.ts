import { BulkheadError } from '@bulkhead/protocol';
import { addLines, changeLine, hasHeading } from './edit-lines.ts';
import { plainText } from './line-text.ts';
import { type MemoryTarget, targetPath } from './memory-path.ts';
import type { ProfileFiles, ReadFile } from './profile-files.ts';
import { findSameFact } from './same-fact.ts';

/** A heading by this name is given the day it was written: what nobody asked to remember stands apart. */
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
/** What holds until it is taken out: the day it was written says nothing. */
const UNDATED: readonly MemoryTarget[] = ['agents', 'heartbeat'];

/** What is to be remembered. */
export interface MemoryNote {
  /** Each line of it becomes one of the file. */
  readonly text: string;
  readonly target: MemoryTarget;
  /** Under which it stands; that of the target if empty. */
  readonly heading: string;
  /** The line it stands for from now on, as it reads; nothing if empty. */
  readonly replaces: string;
  /** Where the person is, `YYYY-MM-DD`. */
  readonly date: string;
}

/** What a note would do to its file. */
export interface PlannedNote {
  readonly path: string;
  readonly before: ReadFile | undefined;
  /** Undefined if nothing would change. */
  readonly after: Uint8Array | undefined;
  /** Lines that come, as they will stand there. */
  readonly added: readonly string[];
  /** A heading that comes with them, in the words of the note: it says something, as a line does. */
  readonly newHeading?: string;
  /** The line that goes, as it stands there. */
  readonly removed: string | undefined;
  /** What of the text is there already, in the words of the file. */
  readonly known: readonly string[];
}

/**
 * What a note does to the file as it is now: its lines under a heading, without those that say what is there already. Writes nothing.
 *
 * @throws BulkheadError `invalid_arguments` for a text that says nothing and for a line that isn't there; `tool_failed` if the
 *   file can't be read or is too large
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

/** Writes what was planned. @throws BulkheadError `tool_failed` if the file is not what it was then: nothing is lost */
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

/** Lines that say something, without what would make them anything else than an entry of a list. */
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

/** The day stands once: in the heading, in the name of the file, or in the line. */
function bullet(line: string, { target, date }: MemoryNote, heading: string): string {
  const isDated =
    target === 'daily' || UNDATED.includes(target) || heading.includes(date) || line.startsWith(`${date}:`);
  return isDated ? `- ${line}` : `- ${date}: ${line}`;
}

function headingOf({ heading, target, date }: MemoryNote): string {
  const [first = ''] = linesOf(heading);
  // As it will be read: no closing signs, and one heading, not a trail of them.
  const given = first.replaceAll(' > ', ' - ').replace(/[\s#]+$/u, '');
  if (given.toLowerCase() === AUTO_HEADING.toLowerCase()) return `${AUTO_HEADING} -- ${date}`;
  return given === '' ? HEADINGS[target] : given;
}

/** Words of the engine's own. */
function isOwn(heading: string, { target, date }: MemoryNote): boolean {
  return heading === HEADINGS[target] || heading === `${AUTO_HEADING} -- ${date}`;
}

function titleOf({ target, date }: MemoryNote): string {
  return target === 'daily' ? date : TITLES[target];
}
