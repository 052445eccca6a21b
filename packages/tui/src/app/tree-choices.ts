import type { TreeEntry } from '@bulkhead/protocol/client';
import { treeRows } from '@bulkhead/protocol/transcript';
import type { Choice } from '../panels/picker.ts';

/** The choice for the part before the first entry; no entry's id is empty. */
export const EARLIER = '';
/** Limit of indented branches. */
const DEEPEST = 8;

/** A session's branches, as places to move to or to fork from. */
interface TreeChoices {
  readonly choices: readonly Choice[];
  /** Index of the conversation's current entry, or the nearest one above it; -1 if not listed. */
  readonly here: number;
}

/**
 * @param entries parents first, of all branches
 * @param more true if earlier entries exist
 */
export function treeChoices(entries: readonly TreeEntry[], more: boolean): TreeChoices {
  const rows = treeRows(entries, 'all');
  const at = rows.findLastIndex(({ entry }) => entry.current);
  const choices = rows.map(({ entry, depth }, index) => ({
    value: entry.entryId,
    label: `${entry.current ? '●' : '○'} ${'  '.repeat(Math.min(depth, DEEPEST))}${wordsOf(entry)}`,
    about: [...(index === at ? ['here'] : []), ...(entry.label === '' ? [] : [entry.label])].join(' · '),
  }));
  if (!more) return { choices, here: at };
  return {
    choices: [{ value: EARLIER, label: '⋯ earlier messages' }, ...choices],
    here: at < 0 ? -1 : at + 1,
  };
}

/** The text of an entry, and its author. */
export function wordsOf({ kind, text }: TreeEntry): string {
  switch (kind) {
    case 'user':
      return `you: ${text}`;
    case 'assistant':
      return `  bulkhead: ${text}`;
    case 'tool':
      return `    ${text.replace(' ', ': ')}`;
    default:
      return `· ${kind}: ${text}`;
  }
}
