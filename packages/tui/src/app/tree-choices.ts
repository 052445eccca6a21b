import type { TreeEntry } from '@bulkhead/protocol/client';
import { treeRows } from '@bulkhead/protocol/transcript';
import type { Choice } from '../panels/picker.ts';

/** The choice that stands for what was said before; no entry's id is empty. */
export const EARLIER = '';
/** Branches that are drawn deeper and deeper. */
const DEEPEST = 8;

/** A session's branches, as places to go to or to fork from. */
interface TreeChoices {
  readonly choices: readonly Choice[];
  /** Which one the conversation stands at, or the nearest above it; -1 where that is not among them. */
  readonly here: number;
}

/**
 * @param entries parents first, of all branches
 * @param more there are entries before these
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

/** What an entry says, and who says it. */
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
