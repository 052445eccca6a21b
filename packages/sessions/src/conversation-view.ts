import type { LogRecord, RecordOf } from '@bulkhead/protocol/records';
import type { Entry } from './session-store.ts';

/** An entry that replaces everything before it. */
export type Compaction = Extract<Entry, RecordOf<'compaction'>>;

/**
 * Name of the custom mark with the rules that a person pinned: all that are in force from there on.
 */
export const RULES_MARK = 'pin';

/** The part of a branch that a model is shown. */
export interface ConversationView {
  /** The compaction that replaces earlier messages; undefined if none does. */
  readonly compaction: Compaction | undefined;
  /** True if earlier messages are missing without a summary. */
  readonly cut: boolean;
  /**
   * Entries that are shown unchanged, in order; marks without content for a model are among them.
   */
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
 * The rules in force at the end of a branch [K7]: the last mark of rules, or the list in a
 * compaction.
 *
 * @returns undefined if these entries contain no rules
 */
export function pinnedRulesOf(entries: readonly Entry[]): readonly string[] | undefined {
  const last = entries.findLast((entry) => rulesIn(entry) !== undefined);
  return last === undefined ? undefined : rulesIn(last);
}

/** @returns undefined for a record that is not about rules */
export function rulesIn(record: LogRecord): readonly string[] | undefined {
  if (record.type === 'compaction') return record.body.rules;
  if (record.type !== 'custom' || record.body.name !== RULES_MARK) return undefined;
  const { data } = record.body;
  return typeof data === 'object' && data !== null && 'rules' in data ? textsOf(data['rules']) : undefined;
}

/** The user's own words in a compaction, message by message: the work on them continues. */
export function askedIn(compaction: Compaction | undefined): readonly string[] {
  return compaction?.body.asked ?? [];
}

function textsOf(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.filter((item): item is string => typeof item === 'string');
}

/**
 * From the first message of the user on; in a run so long that none is left, from its first answer
 * on.
 */
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
