import { create } from '@bufbuild/protobuf';
import { callsOf, textOf } from '@bulkhead/log/session/message-view';
import { BulkheadError } from '@bulkhead/protocol';
import type { Message } from '@bulkhead/protocol/chat';
import { type ReadTreeResponse, ReadTreeResponseSchema, TreeEntrySchema } from '@bulkhead/protocol/client';
import { firstLine } from '@bulkhead/protocol/transcript';
import { TreeShape } from '@bulkhead/runtime/session/tree-shape';
import type { Entry, SessionStore, TreeNode } from '@bulkhead/sessions';

/** Entries of one page. */
const MAX_ENTRIES = 1_000;
const USUAL_ENTRIES = 500;
/** Characters of an entry that are searched for its first line. */
const MAX_TEXT = 1_000;

/**
 * One page of a session's tree, by default the newest: only its entries are read, whatever the size
 * of the session.
 *
 * @param page.before an entry; empty for the end of the log
 * @throws BulkheadError `not_found` for an entry outside the tree
 */
export function treePage(
  store: SessionStore,
  session: { readonly id: string; readonly leaf: string | null },
  page: { readonly before: string; readonly limit: number },
): ReadTreeResponse {
  const nodes = store.tree(session.id);
  const end = page.before === '' ? nodes.length : nodes.findIndex(({ id }) => id === page.before);
  if (end < 0) throw new BulkheadError('not_found', `session ${session.id} has no entry ${page.before}`);
  const start = Math.max(0, end - Math.min(page.limit || USUAL_ENTRIES, MAX_ENTRIES));
  const path = new TreeShape(nodes).path(session.leaf);
  const labels = new Map(store.labels(session.id).map(({ entry, label }) => [entry, label]));
  const entries = nodes.slice(start, end).flatMap((node) => {
    const entry = entryOf(store, node);
    if (entry === undefined) return [];
    return create(TreeEntrySchema, {
      ...wordsOf(entry),
      entryId: node.id,
      parentId: node.parent ?? '',
      time: new Date(entry.time).toISOString(),
      label: labels.get(node.id) ?? '',
      current: path.has(node.id),
    });
  });
  return create(ReadTreeResponseSchema, { entries, leaf: session.leaf ?? '', more: start > 0 });
}

/** A recent branch of zero bytes is the entry alone. */
function entryOf(store: SessionStore, { session, id }: TreeNode): Entry | undefined {
  return store.recentBranch(session, id, 0).entries.at(-1);
}

function wordsOf(entry: Entry): { readonly kind: string; readonly text: string } {
  if (entry.message === undefined) return { kind: entry.type, text: brief(saidByMark(entry)) };
  const { type, message } = entry;
  const { role } = message;
  if (role.case === 'tool') return { kind: 'tool', text: brief(`${role.value.name} ${role.value.text}`) };
  return { kind: role.case ?? type, text: brief(textOf(message) || callNames(message)) };
}

function callNames({ role }: Message): string {
  return role.case === 'assistant'
    ? callsOf(role.value)
        .map(({ name }) => `[${name}]`)
        .join(' ')
    : '';
}

/** Text of an entry that is not a message: a summary, a title, a label; empty for any other. */
export function saidByMark(entry: Entry): string {
  switch (entry.type) {
    case 'compaction':
    case 'branch_summary':
      return entry.body.summary;
    case 'session_title':
      return entry.body.title;
    case 'model_change':
      return entry.body.model;
    case 'label':
      return entry.body.label;
    case 'custom':
      return entry.body.name;
    default:
      return '';
  }
}

function brief(text: string): string {
  return firstLine(text.slice(0, MAX_TEXT));
}
