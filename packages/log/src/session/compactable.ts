import { withAsked } from '@bulkhead/agent';
import type { Message } from '@bulkhead/protocol/chat';
import { askedIn, conversationView, type Entry, pinnedRulesOf, toldBy } from '@bulkhead/sessions';
import type { WholeCompaction } from './compaction-record.ts';
import { inCallOrder } from './message-view.ts';
import { groupsLoadedIn } from './tool-loading.ts';

/** The parts of a conversation that can be summarised, and those that must be carried. */
export interface Compactable {
  readonly earlierSummary: string;
  readonly messages: readonly Message[];
  /** The entry of each message; exact for those that a conversation may begin with. */
  readonly entryIds: readonly string[];
  readonly rules: readonly string[];
}

export function compactable(entries: readonly Entry[]): Compactable {
  const view = conversationView(entries);
  const said = view.entries.filter(({ message }) => message !== undefined);
  const summary = view.compaction?.body.summary;
  return {
    earlierSummary: summary === undefined ? '' : withAsked(summary, askedIn(view.compaction)),
    messages: inCallOrder(said.flatMap(toldBy)),
    entryIds: said.map(({ id }) => id),
    rules: pinnedRulesOf(entries) ?? [],
  };
}

/**
 * The parts that code carries in the body of a compaction: active rules, and loaded groups of tools
 * [K7, L3].
 */
export function carriedBy(entries: readonly Entry[]): Pick<WholeCompaction, 'rules' | 'groups'> {
  return { rules: pinnedRulesOf(entries) ?? [], groups: groupsIn(entries) };
}

/** Groups of tools loaded in a conversation, those that an earlier compaction carries included, in order. */
export function groupsIn(entries: readonly Entry[]): readonly string[] {
  const { compaction, entries: shown } = conversationView(entries);
  const names = compaction?.body.groups ?? [];
  return [...new Set([...names, ...groupsLoadedIn(shown.flatMap(({ message }) => message ?? []))])];
}
