import type { NetworkUse, ToolResult } from '@bulkhead/protocol';
import { changeLines, countChanges, countText } from './change-list.ts';
import { missingNotes, NOTHING_FOUND } from './look-for-missing.ts';
import { NO_TRAFFIC, networkNotes, trafficOf } from './network-notes.ts';
import { problemLine } from './problem-line.ts';
import type { ShellEnd } from './run-shell-process.ts';
import type { Settled } from './settle-transaction.ts';
import type { FoundOutside } from './started-command.ts';

/**
 * Status of a launch whose box could not be made; the launcher prints one line and no command has
 * run.
 */
const BOX_FAILED_STATUS = 125;
const LAUNCHER_LINE = /^bulkhead-launcher: ([^\n]*)\n?$/;
/** Number of changes that a model sees listed. */
const SHOWN_CHANGES = 20;

export interface ToldOfCommand {
  readonly command: string;
  /** Absolute. */
  readonly workingFolder: string;
  /** True if the command may reach some hosts. */
  readonly reachesHosts: boolean;
  /** True if the launcher knows which processes it left: nothing is guessed. */
  readonly leaves?: boolean;
  /** Its traffic; absent if nothing could tell. */
  readonly network?: NetworkUse | undefined;
  /** Places that it did not find and that exist outside its box; absent if none were looked for. */
  readonly missing?: FoundOutside;
  /** The outcome of its changes; absent if it wrote the folder directly. */
  readonly settled?: Settled | undefined;
  /** Limits that its box could not enforce. */
  readonly remarks: readonly string[];
  /** True if it certainly ran, whatever it printed. */
  readonly boxMade?: boolean | undefined;
}

/**
 * The result that a model receives for an ended command.
 * @param output as captured
 * @param timeoutSeconds its time limit
 */
export function shellResult(
  end: ShellEnd,
  output: string,
  timeoutSeconds: number,
  told: ToldOfCommand,
): ToolResult {
  const { settled, remarks, boxMade } = told;
  const ran = boxMade === true || settled?.effects !== undefined;
  const failure = ran ? undefined : boxFailure(end, output);
  if (failure !== undefined) return boxError(failure);
  const remark = remarkOn(end, timeoutSeconds);
  const hint = remark === undefined ? undefined : outputHint(output);
  const {
    command,
    workingFolder,
    reachesHosts,
    network = NO_TRAFFIC,
    leaves = false,
    missing = NOTHING_FOUND,
  } = told;
  const failed = remark !== undefined;
  const own = commandNotes(command, workingFolder, { failed, reachesHosts, leaves });
  const hints = new Set([...(hint === undefined ? [] : [hint]), ...own]);
  // Its proxy knows the hosts exactly.
  if (network.needed.length > 0) hints.delete(NETWORK_HINT);
  const notes = [
    ...(remark === undefined ? [] : [remark]),
    ...[...missingNotes(missing), ...networkNotes(network, failed)].map((one) => `[${one}]`),
    ...[...hints].map((one) => `[${one}]`),
    ...(settled === undefined ? [] : settledLines(settled, end.stopped !== undefined)),
    ...remarks.map((one) => `[${one}]`),
  ];
  const dropped = settled?.reason !== undefined;
  const counts = settled?.effects && { kept: settled.kept, ...countChanges(settled.effects.changes) };
  return {
    text: joined(output, notes),
    isError: remark !== undefined || dropped,
    ...(counts === undefined ? {} : { effects: counts }),
    ...trafficOf(network, failed, missing.needs),
  };
}

export function boxError(reason: string): ToolResult {
  const isMount = reason.includes('mounted inside the working folder');
  const wayOut = isMount ? '. Work in that folder, or unmount it' : '';
  return { text: `the box could not be set up: ${reason}; the command did not run${wayOut}`, isError: true };
}

/** Output with the notes below it, one per line. */
function joined(output: string, notes: readonly string[]): string {
  if (notes.length === 0) return output === '' ? '(no output)' : output;
  const separator = output === '' || output.endsWith('\n') ? '' : '\n';
  return `${output}${separator}${notes.join('\n')}`;
}

/** The lines of a result about a command's changes. */
export function settledLines({ kept, effects, reason }: Settled, stopped: boolean): readonly string[] {
  if (stopped) return ['[nothing it changed was kept]'];
  const changes = effects?.changes ?? [];
  const notes = effects?.notes.map((note) => `[${problemLine(note)}]`).slice(0, SHOWN_CHANGES) ?? [];
  if (!kept) return reason === undefined ? [] : [`[nothing it changed was kept: ${reason}]`];
  if (changes.length === 0) return notes;
  return [`[files: ${countText(countChanges(changes))}]`, ...changeLines(changes, SHOWN_CHANGES), ...notes];
}

function boxFailure(end: ShellEnd, output: string): string | undefined {
  return end.code === BOX_FAILED_STATUS ? LAUNCHER_LINE.exec(output)?.[1] : undefined;
}

function remarkOn(end: ShellEnd, timeoutSeconds: number): string | undefined {
  if (end.stopped === 'timeout') return `[stopped: the time limit of ${timeoutSeconds} s is over]`;
  if (end.stopped === 'cancelled') return '[stopped: cancelled]';
  if (end.signal !== null) return `[killed by ${end.signal}]`;
  return end.code === 0 ? undefined : `[exit code ${end.code}]`;
}

/** Only the beginning of a longer command is searched. */
const LOOK_AT = 16_384;

const LEFT_BEHIND =
  'what still ran when the command ended was ended with it; for a server use `background: true`';
const LOCAL_ADDRESS = /\b(?:localhost|127\.0\.0\.1)\b|\[::1\]/i;
const WEB_ADDRESS = /\bhttps?:\/\//i;

/**
 * Notes on silent losses: processes that the command leaves, and hosts it can't reach. They depend on the command's text alone, so they hold whatever the command did.
 *
 * @param facts.failed true if it ended with an error
 * @param facts.reachesHosts true if it was given hosts
 * @param facts.leaves true if it is known what it left
 */
export function commandNotes(
  command: string,
  workingFolder: string,
  facts: { readonly failed: boolean; readonly reachesHosts: boolean; readonly leaves?: boolean },
): readonly string[] {
  const { failed, reachesHosts, leaves = false } = facts;
  const text = command.slice(0, LOOK_AT).replaceAll(workingFolder, '.');
  return [
    ...(!leaves && leavesProcesses(text) ? [LEFT_BEHIND] : []),
    ...(failed && LOCAL_ADDRESS.test(text) ? [LOCAL_NETWORK_HINT] : []),
    ...(failed && !reachesHosts && !LOCAL_ADDRESS.test(text) && WEB_ADDRESS.test(text) ? [NETWORK_HINT] : []),
  ];
}

/** Matches quoted or escaped text, up to its end or the end of the command. */
const QUOTED = /\\.|'[^']*'?|"(?:[^"\\]|\\.)*"?/gs;
/** Matches a `&` for the background: not a part of `&&`, `>&`, `<&`, `&>`, `|&`. */
const BACKGROUND = /(?<![&<>|])&(?![&>])/;

function leavesProcesses(text: string): boolean {
  return BACKGROUND.test(text.replaceAll(QUOTED, '_'));
}

/** Length of the output's end that is searched: errors come last. */
const SEARCHED_LENGTH = 16_384;

const NETWORK_HINT =
  'a command reaches only the hosts that its `hosts` names, through the proxy of its environment; without them it has no network: name the hosts it needs, and the user is asked';
const LOCAL_NETWORK_HINT =
  'the commands of a session have a network of their own, where nothing of this machine answers, not even on localhost: a server that an earlier command of the session left running (`server &`) does, but not for a command with `hosts`; hosts elsewhere are named in `hosts`, and the user is asked';

/** Errors that programs report for something a box lacks, each with its remedy. */
const HINTS: readonly (readonly [RegExp, string])[] = [
  [
    /invalid cross-device link|\bEXDEV\b|cross-device link not permitted/i,
    'a folder that was there before the command can not be renamed in one step here: use `mv`, which copies it, or make the new folder and move the files',
  ],
  [
    /read-only file system|\bEROFS\b/i,
    'a command writes only the working folder, /tmp and its own home: what it would write beside them is not kept, so it is refused',
  ],
  [
    /value too large for defined data type|\bEOVERFLOW\b/i,
    'files of another owner can not be changed here, unless Bulkhead runs as root: copy them and change the copies',
  ],
  [
    /could not resolve (?:host|proxy)|temporary failure in name resolution|name or service not known|\bgetaddrinfo\b|\bEAI_AGAIN\b|\bENOTFOUND\b|network is unreachable|\bENETUNREACH\b/i,
    NETWORK_HINT,
  ],
  [
    /(?:localhost|127\.0\.0\.1|::1)[^\n]{0,80}refused|refused[^\n]{0,80}(?:localhost|127\.0\.0\.1|::1)/i,
    LOCAL_NETWORK_HINT,
  ],
];

/** One line for a command that failed because its box lacks something; undefined for any other. */
export function outputHint(output: string): string | undefined {
  const end = output.slice(-SEARCHED_LENGTH);
  return HINTS.find(([said]) => said.test(end))?.[1];
}
