import type { LogRecord, RecordOf } from '@bulkhead/protocol/records';
import type { Entry } from './session-store.ts';

/** An entry that stands for everything before it. */
export type Compaction = Extract<Entry, RecordOf<'compaction'>>;

/** Name of the custom mark that holds the rules a person pinned: all that are in force from there on. */
export const RULES_MARK = 'pin';

/** What of a branch, or of its newest part, a model is shown. */
export interface ConversationView {
  /** The compaction that stands for everything before; undefined if none does. */
  readonly compaction: Compaction | undefined;
  /** True if there are messages before that nothing stands for. */
  readonly cut: boolean;
  /** What is shown as it is, in order; marks that say nothing to a model are among them. */
  readonly entries: readonly Entry[];
}

/** @param entries in order, as `branch` or `recentBranch` give them */
export function conversationView(entries: readonly Entry[]): ConversationView {
  const compaction = entries.findLast(isCompaction);
  const beginningMissing = (entries[0]?.parent ?? null) !== null;
  if (compaction === undefined) {
    return beginningMissing
      ? { compaction, cut: true, entries: fromUser(entries) }
      : { compaction, cut: false, entries };
  }
  const { keptFrom } = compaction.body;
  const kept = entries.findIndex((entry) => entry.id === keptFrom);
  if (kept < 0 && beginningMissing) return { compaction, cut: true, entries: fromUser(entries) };
  return {
    compaction,
    cut: false,
    entries: afterResults(entries.slice(kept < 0 ? entries.indexOf(compaction) : kept)),
  };
}

export function isCompaction(entry: Entry): entry is Compaction {
  return entry.type === 'compaction';
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

/** @returns undefined for what is not about rules */
export function rulesIn(record: LogRecord): readonly string[] | undefined {
  if (record.type === 'compaction') return record.body.rules;
  if (record.type !== 'custom' || record.body.name !== RULES_MARK) return undefined;
  const { data } = record.body;
  return typeof data === 'object' && data !== null && 'rules' in data ? textsOf(data['rules']) : undefined;
}

/** Words of the person that a compaction carries, message by message: what it stands for is being worked on. */
export function askedIn(compaction: Compaction | undefined): readonly string[] {
  return compaction?.body.asked ?? [];
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
