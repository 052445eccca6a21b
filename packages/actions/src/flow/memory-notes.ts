import type { NotedLabel, RecordOf } from '@bulkhead/protocol/records';
import { type Label, readLabel } from '@bulkhead/shield';

/**
 * Notes in a session's log of what was read from memory, for the fold that keeps its label: in the log, because a session is
 * what was read in it, also after a restart [F2].
 */

/** @param label undefined if it carries nothing that must be kept */
export function foundRecord(action: string, label: Label | undefined): RecordOf<'memory_found'> {
  return { type: 'memory_found', body: { action, label: label ?? null } };
}

export function shownRecord(text: string, label: Label | undefined): RecordOf<'memory_shown'> {
  return { type: 'memory_shown', body: { text, label: label ?? null } };
}

/** What a note says that something carried; undefined for nothing. Names that are not known count as the most foreign. */
export function notedLabel(label: NotedLabel | null): Label | undefined {
  return label === null ? undefined : (readLabel(label) ?? UNREADABLE);
}

const UNREADABLE: Label = { secrecy: 'confidential', trust: 'external' };
