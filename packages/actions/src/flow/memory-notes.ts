import type { NotedLabel, RecordOf } from '@bulkhead/protocol/records';
import { type Label, readLabel } from '@bulkhead/shield';

/**
 * Records in a session's log of memory that was read, for the fold that keeps its label. They are
 * in the log because a session's label is what it has read, also after a restart [F2].
 */

/** @param label undefined if nothing has to be kept */
export function foundRecord(action: string, label: Label | undefined): RecordOf<'memory_found'> {
  return { type: 'memory_found', body: { action, label: label ?? null } };
}

export function shownRecord(text: string, label: Label | undefined): RecordOf<'memory_shown'> {
  return { type: 'memory_shown', body: { text, label: label ?? null } };
}

/** The label in a note; undefined for none. Unknown names count as the most foreign. */
export function notedLabel(label: NotedLabel | null): Label | undefined {
  return label === null ? undefined : (readLabel(label) ?? UNREADABLE);
}

const UNREADABLE: Label = { secrecy: 'confidential', trust: 'external' };
