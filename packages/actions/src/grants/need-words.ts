import { type Verdict, visibleText } from '@bulkhead/protocol';
import type { GrantAsked } from './grant.ts';

/** A grant for an exact text says nothing about what the text runs. */
const SAME_TEXT =
  'for the session: serves this text again, whatever the scripts and settings that it uses hold by then';
const WHAT_TOOLS_OPEN =
  'shown read-only to all commands here, with its programs on PATH before the system’s; files that may hold credentials stay hidden';
const WHAT_FILES_OPEN = [
  'shown read-only to this command and to all that it starts; other files that may hold credentials stay hidden',
  'its values are hidden in what the command prints, as they are and in usual codings; a program can code them otherwise',
  'the session then counts as one that has read secrets: what leaves it is asked about or blocked',
];
const SAME_TEXT_FOR_GOOD =
  'for the session or this folder: serves this text again, whatever the scripts and settings that it uses hold by then';
const FOLDERS_OPEN =
  'shown read-only to all commands here, with all below it; files that may hold credentials stay hidden';
const FOLDERS_CHANGE =
  'commands here work in it as in this folder: what they change is judged, kept and undone with them; files that may hold credentials stay hidden';
/** Longest command that the sentence repeats, and longest name of a target. */
const LONGEST_COMMAND = 80;
const LONGEST_NAME = 160;

/** The one sentence of the question. @param command that failed */
export function lacking(asked: GrantAsked, command: string): Verdict {
  const { kind, pattern } = asked;
  const what = visibleText(pattern === undefined ? oneLine(command) : `${pattern} …`, false);
  const reason = (asked.write === true ? ALLOW_CHANGES : ALLOW[kind])(targetsOf(asked), what);
  return { decision: 'escalate', tier: 0, rule: 'effects/needs', reason, confidence: 1 };
}

const ALLOW_CHANGES = (targets: string, command: string) =>
  `allow commands here to read and change the whole folder ${targets}, which lies around this one? \`${command}\` failed without, and runs again with it`;

const ALLOW: Readonly<Record<GrantAsked['kind'], (targets: string, command: string) => string>> = {
  hosts: (targets, command) =>
    `allow \`${command}\` to reach ${targets}? It failed without, and runs again with it`,
  toolchain: (targets, command) =>
    `allow commands here to read and run programs in ${targets}? The output of \`${command}\` says that one is missing, and it runs again with it`,
  folder: (targets, command) =>
    `allow commands here to read the folder ${targets}? \`${command}\` failed without, and runs again with it`,
  'secret-file': (targets, command) =>
    `allow \`${command}\` to read ${targets} of this folder? What it prints of it is hidden from the model, and the session counts as one that has read secrets`,
};

/** Lines of the question. @param reached servers that the command reached */
export function factsAbout(asked: GrantAsked, reached: readonly string[]): readonly string[] {
  const had = reached.length === 0 ? [] : [`has reached: ${reached.join(', ')}`];
  if (asked.kind === 'toolchain')
    return [`needs the toolchain folder: ${targetsOf(asked)}`, WHAT_TOOLS_OPEN, ...had];
  if (asked.kind === 'secret-file') {
    const again = asked.pattern === undefined ? [SAME_TEXT_FOR_GOOD] : [];
    return [`needs the file: ${targetsOf(asked)}`, ...WHAT_FILES_OPEN, ...had, ...again];
  }
  if (asked.kind === 'folder')
    return [
      `needs the folder: ${targetsOf(asked)}`,
      asked.write === true ? FOLDERS_CHANGE : FOLDERS_OPEN,
      ...had,
    ];
  return [`needs network: ${targetsOf(asked)}`, ...had, ...(asked.pattern === undefined ? [SAME_TEXT] : [])];
}

/** The grant that a permanent answer adds; undefined if none is offered. */
export function forGood(asked: GrantAsked, workingFolder: string): string | undefined {
  const where = visibleText(workingFolder, false);
  if (asked.kind === 'toolchain')
    return `grant for every command in ${where} to read and run programs in ${targetsOf(asked)}`;
  if (asked.kind === 'folder')
    return `grant for every command in ${where} to ${asked.write === true ? 'read and change' : 'read'} ${targetsOf(asked)}`;
  const { pattern, command = '' } = asked;
  if (asked.kind === 'secret-file') {
    const what = pattern === undefined ? oneLine(command) : `${pattern} …`;
    return `grant for every \`${visibleText(what, false)}\` in ${where} to read ${targetsOf(asked)}`;
  }
  return pattern === undefined
    ? undefined
    : `grant for every \`${pattern}\` in ${where} to reach ${targetsOf(asked)}`;
}

function targetsOf({ targets }: GrantAsked): string {
  return targets.map(named).join(', ');
}

/** Quoted and cut if it is no plain name: a folder's name must not read as a part of the question. */
function named(target: string): string {
  const text = cut(visibleText(target, false), LONGEST_NAME);
  return /^[\w@%+=:,./~-]+$/u.test(text) ? text : `“${text}”`;
}

function oneLine(command: string): string {
  return cut(command.trim().replaceAll(/\s+/g, ' '), LONGEST_COMMAND);
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`;
}
