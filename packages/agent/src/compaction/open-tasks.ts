import type { Message } from '@bulkhead/protocol/chat';
import { textOf } from '../loop/message-parts.ts';
import { oneLine } from './one-line.ts';

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
export function openTasks(
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
