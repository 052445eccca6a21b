import type { NewRecord } from '@bulkhead/sessions';
import { type Label, readLabel } from '@bulkhead/shield';

/**
 * Notes in a session's log of what was read from memory, for the fold that keeps its label: in the log, because a session is
 * what was read in it, also after a restart [F2].
 */

/** An action found something in memory, and what that carries. Before its output. */
export const MEMORY_FOUND = 'memory_found';
/** The model was shown memory without asking for it: with the text, as it was shown. */
export const MEMORY_SHOWN = 'memory_shown';

/** @param label undefined if it carries nothing that must be kept */
export function foundBody(action: string, label: Label | undefined): NewRecord['body'] {
  return { action, label: label ?? null };
}

export function shownBody(text: string, label: Label | undefined): NewRecord['body'] {
  return { text, label: label ?? null };
}

/** What a note says that something carried; undefined for nothing. What can't be read counts as the most foreign. */
export function notedLabel({ label }: NewRecord['body']): Label | undefined {
  if (label === null) return undefined;
  const parts = typeof label === 'object' ? { secrecy: undefined, trust: undefined, ...label } : {};
  return readLabel({ secrecy: undefined, trust: undefined, ...parts }) ?? UNREADABLE;
}

const UNREADABLE: Label = { secrecy: 'confidential', trust: 'external' };
