import type { Entry } from './session-store.ts';

/** Name of the custom mark that holds the rules a person pinned: all that are in force from there on. */
export const RULES_MARK = 'pin';

/** Set in the body of a message that stands in the person's role in a file that was imported: nobody knows who wrote it. */
export const FOREIGN = 'foreign';

/** What of a branch, or of its newest part, a model is shown. */
export interface ConversationView {
  /** The compaction that stands for everything before; undefined if none does. */
  readonly compaction: Entry | undefined;
  /** True if there are messages before that nothing stands for. */
  readonly cut: boolean;
  /** What is shown as it is, in order; marks that say nothing to a model are among them. */
  readonly entries: readonly Entry[];
}

/** @param entries in order, as `branch` or `recentBranch` give them */
export function conversationView(entries: readonly Entry[]): ConversationView {
  const at = entries.findLastIndex(isCompaction);
  const compaction = entries[at];
  const beginningMissing = (entries[0]?.parent ?? null) !== null;
  if (compaction === undefined) {
    return beginningMissing
      ? { compaction, cut: true, entries: fromUser(entries) }
      : { compaction, cut: false, entries };
  }
  const keptFrom = compaction.body['keptFrom'];
  const kept = entries.findIndex((entry) => entry.id === keptFrom);
  if (kept < 0 && beginningMissing) return { compaction, cut: true, entries: fromUser(entries) };
  return { compaction, cut: false, entries: afterResults(entries.slice(kept < 0 ? at : kept)) };
}

export function isCompaction(entry: Entry): boolean {
  return entry.type === 'compaction' && entry.message === undefined;
}

/**
 * The rules in force at the end of a branch [K7]: the last mark of rules, or the list that a compaction carries.
 *
 * @returns undefined if these entries say nothing of rules
 */
export function pinnedRulesOf(entries: readonly Entry[]): readonly string[] | undefined {
  const last = entries.findLast((entry) => rulesIn(entry) !== undefined);
  return last === undefined ? undefined : rulesIn(last);
}

/** @returns undefined for an entry that is not about rules */
export function rulesIn(entry: Pick<Entry, 'type' | 'body' | 'message'>): readonly string[] | undefined {
  if (entry.message !== undefined) return undefined;
  if (entry.type === 'compaction') return textsOf(entry.body['rules']);
  if (entry.type !== 'custom' || entry.body['name'] !== RULES_MARK) return undefined;
  const data = entry.body['data'];
  return typeof data === 'object' && data !== null && 'rules' in data ? textsOf(data['rules']) : undefined;
}

/** Words of the person that a compaction carries, message by message: what it stands for is being worked on. */
export function askedIn(compaction: Entry | undefined): readonly string[] {
  return textsOf(compaction?.body['asked']) ?? [];
}

function textsOf(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.filter((item): item is string => typeof item === 'string');
}

/** From the first message of the user on; of a run so long that none is left, from its first answer on. */
function fromUser(entries: readonly Entry[]): readonly Entry[] {
  const first = entries.findIndex(({ message }) => message?.role.case === 'user');
  return first < 0 ? afterResults(entries) : entries.slice(first);
}

/** Without results at the beginning: their calls are not shown. */
function afterResults(entries: readonly Entry[]): readonly Entry[] {
  const first = entries.findIndex(({ message }) => message !== undefined && message.role.case !== 'tool');
  const result = entries.findIndex(({ message }) => message?.role.case === 'tool');
  if (result < 0 || (first >= 0 && first < result)) return entries;
  return first < 0 ? [] : entries.slice(first);
}
