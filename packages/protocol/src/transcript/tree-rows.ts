import type { TreeEntry } from '../gen/bulkhead/client/v1/sessions_pb.ts';

/** A line of the tree. */
export interface TreeRow {
  readonly entry: TreeEntry;
  /** Number of branches above it. */
  readonly depth: number;
  /** Index of its parent row; undefined for the start of a conversation. */
  readonly parent: number | undefined;
}

/** Kinds that are not steps of a conversation, unless a person named the entry. */
const ASIDE: ReadonlySet<string> = new Set(['label', 'session_title', 'model_change', 'custom']);

/**
 * The branches of a session as lines, each branch below its starting point.
 *
 * @param entries parents first; those before the first of them may be missing
 * @param steps `all` for an answer with its actions; else only its last message is shown
 */
export function treeRows(
  entries: readonly TreeEntry[],
  steps: 'all' | 'answers' = 'answers',
): readonly TreeRow[] {
  const calling = new Set(entries.flatMap(({ kind, parentId }) => (kind === 'tool' ? [parentId] : [])));
  const isStep = ({ kind, entryId }: TreeEntry) =>
    kind === 'tool' || (kind === 'assistant' && calling.has(entryId));
  const isShown = (entry: TreeEntry) =>
    entry.label !== '' || !(ASIDE.has(entry.kind) || (steps !== 'all' && isStep(entry)));
  /** By entry: the nearest shown one, itself or above it. */
  const shownAt = new Map<string, string>();
  const followers = new Map<string, TreeEntry[]>();
  for (const entry of entries) {
    const above = shownAt.get(entry.parentId) ?? '';
    shownAt.set(entry.entryId, isShown(entry) ? entry.entryId : above);
    if (!isShown(entry)) continue;
    const beside = followers.get(above);
    if (beside === undefined) followers.set(above, [entry]);
    else beside.push(entry);
  }
  const rows: TreeRow[] = [];
  const waiting = placed(followers.get('') ?? [], 0, undefined);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    rows.push(next);
    waiting.push(...placed(followers.get(next.entry.entryId) ?? [], next.depth, rows.length - 1));
  }
  return rows;
}

/** Last first. */
function placed(entries: readonly TreeEntry[], depth: number, parent: number | undefined): TreeRow[] {
  const deeper = entries.length > 1 ? depth + 1 : depth;
  return entries.map((entry) => ({ entry, depth: deeper, parent })).reverse();
}
