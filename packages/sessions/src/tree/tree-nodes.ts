import type { TreeNode } from '../session-store.ts';
import type { TreeSource } from './tree-source.ts';
import { linksBack } from './walk-back.ts';

/**
 * Every entry's place, parents first: the shared part of a fork, then the session's own log. No
 * body is read.
 */
export function treeNodesOf(source: TreeSource, sessionId: string): readonly TreeNode[] {
  const origin = source.origin(sessionId);
  const shared = origin === null ? [] : [...linksBack(source, origin.session, origin.entry)].reverse();
  const own = source.links(sessionId).map((link) => ({ ...link, sessionId }));
  return [...shared, ...own].map(({ id, parent, type, sessionId: session }) => ({
    id,
    parent,
    type,
    session,
  }));
}
