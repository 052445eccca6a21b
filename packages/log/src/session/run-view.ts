import type { Message } from '@bulkhead/protocol/chat';
import { conversationView, type Entry, openingOf, toldBy } from '@bulkhead/sessions';
import { groupsIn } from './compactable.ts';
import { inCallOrder, withAllResults } from './message-view.ts';

/**
 * A branch as shown to the run at its end: the conversation before it, and its own messages that
 * are no longer shown.
 */
export interface RunView {
  readonly history: readonly Message[];
  /** How many of the run's own messages, from its last, are shown; undefined for all: no summary stands for any of them. */
  readonly ownShown: number | undefined;
  /** Groups of tools that were loaded before. */
  readonly groups: readonly string[];
  /**
   * Tokens that a provider counted for all up to and with the last answer shown; 0 without a count.
   */
  readonly counted: number;
  /** The messages shown after that answer; all of them without a count. */
  readonly uncounted: readonly Message[];
}

/** @param entries in order, as `recentBranch` gives them */
export function runView(entries: readonly Entry[], runId: string): RunView {
  const view = conversationView(entries);
  const isOwn = ({ turn, message }: Entry): boolean => turn === runId && message !== undefined;
  // Only a compaction made in this run stands for messages of it: what is not read back is shown all the same.
  const shortened = view.compaction?.turn === runId;
  const before = view.entries.filter((entry) => !isOwn(entry));
  const opening = openingOf(view);
  const history = inCallOrder(withAllResults([...opening, ...before.flatMap(toldBy)]));
  const at = lastCounted(view.entries, view.compaction);
  return {
    history,
    ownShown: shortened ? view.entries.filter(isOwn).length : undefined,
    groups: groupsIn(entries),
    counted: countedBy(view.entries[at]),
    uncounted: [...(at < 0 ? opening : []), ...view.entries.slice(at + 1).flatMap(toldBy)],
  };
}

/** An answer from before a compaction counted what is shown no more. */
function lastCounted(entries: readonly Entry[], compaction: Entry | undefined): number {
  const since = compaction === undefined ? 0 : entries.findIndex(({ id }) => id === compaction.id);
  const at = entries.findLastIndex((entry) => countedBy(entry) > 0);
  return since >= 0 && at >= since ? at : -1;
}

function countedBy(entry: Entry | undefined): number {
  const usage = entry?.type === 'message_end' ? entry.body.usage : undefined;
  return usage !== undefined && usage.inputTokens > 0 ? usage.inputTokens + usage.outputTokens : 0;
}
