import type { Message, ToolCall } from '@bulkhead/protocol/chat';
import { callsOf, textOf } from '../loop/message-parts.ts';
import type { CompactRequest } from './compact-request.ts';
import { oneLine } from './one-line.ts';
import { type Outline, PROSE_SECTIONS, type SectionName } from './outline.ts';
import { type CompactionPlan, planCompaction } from './plan-compaction.ts';
import { readAnswer, renderOutline } from './summary-text.ts';

/** Limit of the person's requests in a summary made by rule. */
const MAX_REQUESTS = 20;
const MAX_REQUEST = 200;

/** Sections to shorten, in this order, if a summary is too long: oldest lines first. */
const GIVES_WAY: readonly SectionName[] = ['Done', 'Files read', 'Decisions', 'Files changed', 'Open tasks'];

/**
 * The summary: the model's text, and the parts that code always adds [K2]. A section the model left
 * out comes from the earlier summary; files come from the calls; open tasks stay until they are
 * done.
 *
 * @param written undefined if the model gave no usable text: then all of it is made by rule [K3]
 * @param most characters
 */
function assembleSummary(plan: CompactionPlan, written: Outline | undefined, most: number): string {
  const { old, earlier } = plan;
  const sections = new Map<SectionName, readonly string[]>();
  for (const name of PROSE_SECTIONS) {
    sections.set(name, written?.sections.get(name) ?? earlier.sections.get(name) ?? []);
  }
  if (written === undefined) {
    sections.set('Goal', unique([...(sections.get('Goal') ?? []), ...requestsIn(old)]).slice(-MAX_REQUESTS));
  }
  const named = written?.sections.get('Open tasks') ?? [];
  const done = written?.sections.get('Done') ?? [];
  const before = earlier.sections.get('Open tasks') ?? [];
  sections.set('Open tasks', openTasks(old, { earlier: before, named, done }));
  const files = fileLists(old, {
    read: earlier.sections.get('Files read') ?? [],
    changed: earlier.sections.get('Files changed') ?? [],
  });
  sections.set('Files read', files.read);
  sections.set('Files changed', files.changed);
  return fitted(sections, most);
}

function requestsIn(messages: readonly Message[]): readonly string[] {
  return messages.flatMap(({ role }) =>
    role.case === 'user' && role.value.text.trim() !== '' ? [oneLine(role.value.text, MAX_REQUEST)] : [],
  );
}

function unique(lines: readonly string[]): readonly string[] {
  return [...new Set(lines)];
}

function fitted(sections: Map<SectionName, readonly string[]>, most: number): string {
  let text = renderOutline(sections);
  for (const least of [10, 3, 1]) {
    for (const name of GIVES_WAY) {
      for (let lines = sections.get(name) ?? []; text.length > most && lines.length > least; ) {
        lines = lines.slice(Math.ceil((lines.length - least) / 2));
        sections.set(name, lines);
        text = renderOutline(sections);
      }
    }
  }
  return text;
}

const READERS: readonly string[] = ['read'];
const CHANGERS: readonly string[] = ['write', 'edit'];
const MAX_FILES = 60;
const MAX_PATH = 300;

/** Files that a conversation read and changed, in the order they were last touched. */
interface FileLists {
  readonly read: readonly string[];
  readonly changed: readonly string[];
}

/**
 * Derived from the calls, not from a model's memory: only successful calls count [K2]. The newest
 * 60 of each.
 *
 * @param earlier lists in an earlier summary
 */
function fileLists(messages: readonly Message[], earlier: FileLists): FileLists {
  const read = new Set(earlier.read);
  const changed = new Set(earlier.changed);
  let calls = new Map<string, ToolCall>();
  for (const { role } of messages) {
    if (role.case === 'assistant') calls = new Map(callsOf(role.value).map((call) => [call.callId, call]));
    if (role.case !== 'tool' || role.value.isError) continue;
    const call = calls.get(role.value.callId);
    const path = call === undefined ? '' : pathOf(call.argumentsJson);
    if (call === undefined || path === '') continue;
    if (READERS.includes(call.name)) touch(read, path);
    if (CHANGERS.includes(call.name)) touch(changed, path);
  }
  return { read: [...read].slice(-MAX_FILES), changed: [...changed].slice(-MAX_FILES) };
}

/** Moves it to the end of the list. */
function touch(list: Set<string>, path: string): void {
  list.delete(path);
  list.add(path);
}

function pathOf(argumentsJson: string): string {
  try {
    const input: unknown = JSON.parse(argumentsJson);
    const path = typeof input === 'object' && input !== null && 'path' in input ? input.path : '';
    return typeof path === 'string' ? oneLine(path, MAX_PATH) : '';
  } catch {
    return '';
  }
}

const MAX_TASKS = 40;
const MAX_TASK = 300;
const BOX = /^\s*(?:[-*+]|\d+[.)])\s+\[([ xX])\]\s+(\S.*)$/;

/**
 * Tasks that are still open, by rule: those of the earlier summary, those the model names, and
 * unticked boxes that the person or the model wrote (`- [ ] …`), without those ticked since or
 * listed under Done. Boxes in tool results are not tasks.
 *
 * @param lists.named open tasks in the model's new summary
 * @param lists.done finished tasks in it
 */
function openTasks(
  messages: readonly Message[],
  lists: {
    readonly earlier: readonly string[];
    readonly named: readonly string[];
    readonly done: readonly string[];
  },
): readonly string[] {
  const open = new Map<string, string>();
  for (const task of lists.earlier) open.set(keyOf(task), task);
  for (const { ticked, task } of messages.flatMap(boxesOf)) {
    if (ticked) open.delete(keyOf(task));
    else open.set(keyOf(task), task);
  }
  for (const task of lists.done) open.delete(keyOf(task));
  for (const task of lists.named) open.set(keyOf(task), task);
  return [...open.values()].slice(-MAX_TASKS);
}

function boxesOf({ role }: Message): { readonly ticked: boolean; readonly task: string }[] {
  const text =
    role.case === 'user' ? role.value.text : role.case === 'assistant' ? textOf(role.value) : undefined;
  if (text === undefined || !text.includes('[')) return [];
  return text.split('\n').flatMap((line) => {
    const [, mark, words] = BOX.exec(line.slice(0, 2 * MAX_TASK)) ?? [];
    return words === undefined ? [] : [{ ticked: mark !== ' ', task: oneLine(words, MAX_TASK) }];
  });
}

/** Two tasks are equal if their words are. */
function keyOf(task: string): string {
  return task
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Longest answer that is used, in characters. */
const MAX_ANSWER = 64_000;
/** Longest summary, in characters; and never longer than the kept messages. */
const MAX_SUMMARY = 24_000;
const LEAST_SUMMARY = 2_000;
const CHARACTERS_PER_TOKEN = 3;

/** A compacted conversation. */
export interface AssembledCompaction {
  readonly summary: string;
  /** The person's messages that are being worked on and no longer shown, one per entry. */
  readonly asked: readonly string[];
  /** The number of messages it replaces, from the first. */
  readonly replaced: number;
  /** True if no model wrote any part of it [K3]. */
  readonly byRule: boolean;
}

/**
 * Builds a compacted conversation from a model's answer and the parts that code always adds [K2].
 * It is for the process that keeps the conversation: only lines under the requested headings come
 * from the answer, all else from the request.
 *
 * @param answer of the model, unchanged; without one, or if it has none of the headings, the whole
 *   summary is made by rule
 * @returns undefined if there is nothing to gain
 */
export function assembleCompaction(request: CompactRequest, answer = ''): AssembledCompaction | undefined {
  const plan = planCompaction(request);
  if (plan === undefined) return undefined;
  const written = readAnswer(answer.slice(0, MAX_ANSWER), PROSE_SECTIONS);
  const most = Math.min(MAX_SUMMARY, Math.max(LEAST_SUMMARY, request.keepTokens * CHARACTERS_PER_TOKEN));
  const words = plan.carried.reduce((sum, { length }) => sum + length, 0);
  const summary = assembleSummary(plan, written, Math.max(LEAST_SUMMARY, most - words));
  return { summary, asked: plan.carried, replaced: plan.old.length, byRule: written === undefined };
}
