import { create } from '@bufbuild/protobuf';
import { type Message, MessageSchema } from '@bulkhead/protocol/chat';
import type { Entry } from './session-store.ts';

/**
 * The conversation a model is shown: a view of a branch, or of its newest part. The latest compaction stands for
 * everything before the entry it keeps first; a branch summary is told as a message; other marks are left out. Where the
 * beginning is missing, a note says so, and the first answer shown is never a result whose call is not.
 * @param entries in order, as `branch` or `recentBranch` give them
 */
export function conversationOf(entries: readonly Entry[]): Message[] {
  const compaction = entries.findLastIndex(isCompaction);
  const cut = (entries[0]?.parent ?? null) !== null;
  if (compaction < 0) return cut ? [notShown(), ...fromUser(told(entries))] : told(entries);
  const summary = `[Previous conversation summary: ${textOf(entries[compaction], 'summary')}]`;
  const keptFrom = textOf(entries[compaction], 'keptFrom');
  const kept = entries.findIndex((entry) => entry.id === keptFrom);
  if (kept < 0 && cut) return [userMessage(summary), notShown(), ...fromUser(told(entries))];
  return [userMessage(summary), ...afterResults(told(entries.slice(kept < 0 ? compaction : kept)))];
}

const notShown = (): Message => userMessage('[Earlier messages of this conversation are not shown.]');

function isCompaction(entry: Entry): boolean {
  return entry.type === 'compaction' && entry.message === undefined;
}

function told(entries: readonly Entry[]): Message[] {
  return entries.flatMap((entry) => {
    if (entry.message !== undefined) return [entry.message];
    if (entry.type !== 'branch_summary') return [];
    return [userMessage(`[Summary of another branch: ${textOf(entry, 'summary')}]`)];
  });
}

/** From the first message of the user on; of a run so long that none is left, from its first answer on. */
function fromUser(messages: readonly Message[]): readonly Message[] {
  const first = messages.findIndex((message) => message.role.case === 'user');
  return first < 0 ? afterResults(messages) : messages.slice(first);
}

/** Without results at the beginning: their calls are not shown. */
function afterResults(messages: readonly Message[]): readonly Message[] {
  const first = messages.findIndex((message) => message.role.case !== 'tool');
  return first < 0 ? [] : messages.slice(first);
}

function textOf(entry: Entry | undefined, field: string): string {
  const value = entry?.body[field];
  return typeof value === 'string' ? value : '';
}

function userMessage(text: string): Message {
  return create(MessageSchema, { role: { case: 'user', value: { text } } });
}
