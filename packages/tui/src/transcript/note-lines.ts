import {
  type CompactionItem,
  type EndItem,
  type ErrorItem,
  type ResumedItem,
  type RetryItem,
  settledNote,
} from '@bulkhead/protocol/transcript';
import { hang } from '../look/fit.ts';
import type { Look } from '../look/look.ts';

export type NoteItem = CompactionItem | RetryItem | ResumedItem | ErrorItem | EndItem;

/** Notices that are neither messages nor actions. */
export function noteLines(item: NoteItem, { style, expanded }: Look, width: number): string[] {
  const note = (text: string, paint = style.warning) => hang('· ', text, width).map(paint);
  switch (item.kind) {
    case 'compaction':
      return note(compactionText(item), style.dim);
    case 'retry':
      return note(retryText(item));
    case 'resumed':
      return note(`the engine was stopped during this run, which continues now${openActions(item)}`);
    case 'error':
      return note(`${item.code}: ${item.message}`, style.danger);
    case 'end':
      return endLines(item, expanded, note, style.dim);
  }
}

type Note = (text: string, paint?: (text: string) => string) => string[];

function endLines(item: EndItem, expanded: boolean, note: Note, dim: (text: string) => string): string[] {
  const why =
    item.waited && item.outcome === 'aborted' ? 'a queued message was withdrawn' : settledNote(item);
  const took = `${item.rounds} ${item.rounds === 1 ? 'round' : 'rounds'}, ${item.usage.inputTokens} tokens in, ${item.usage.outputTokens} out${costText(item.cost)}`;
  return [...(why === undefined ? [] : note(why)), ...(expanded ? note(took, dim) : [])];
}

function costText(cost: number | null): string {
  return cost === null || cost === 0 ? '' : `, $${cost.toFixed(4)}`;
}

function compactionText({ byRule, messages }: CompactionItem): string {
  const what = messages === undefined ? '' : ` (${messages} messages before)`;
  return byRule
    ? `conversation compacted by rule: no model could summarize${what}`
    : `conversation compacted: its beginning is now a summary${what}`;
}

function retryText({ attempt, maxAttempts, delayMs, code, message, model, success }: RetryItem): string {
  const which = attempt <= maxAttempts ? `${attempt} of ${maxAttempts}` : `${attempt}`;
  const when = delayMs === 0 ? 'now' : `in ${(delayMs / 1_000).toFixed(1)} s`;
  const came =
    success === undefined ? `trying again ${when}` : success ? 'then it answered' : 'it failed again';
  return `the model failed (${code}): ${message.replaceAll(/\s*\n\s*/g, ' ')} · retry ${which} on ${model}: ${came}`;
}

function openActions({ executed, notExecuted, unknown }: ResumedItem): string {
  const parts = [
    ...(executed === 0 ? [] : [`${executed} done`]),
    ...(notExecuted === 0 ? [] : [`${notExecuted} not done`]),
    ...(unknown === 0 ? [] : [`${unknown} with unknown outcome`]),
  ];
  return parts.length === 0 ? '' : ` (actions left open: ${parts.join(', ')})`;
}
