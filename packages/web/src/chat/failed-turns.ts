import type { MessageItem, TranscriptItem } from '@bulkhead/protocol/transcript';

/**
 * A run that failed before it did anything leaves the conversation as it was before its message: the
 * message is no entry of the branch, and still what the person wants to see and send again.
 */
interface FailedTurns {
  /** Entries of their messages. */
  readonly entries: ReadonlySet<string>;
  /** Entries of those that the next message repeats. */
  readonly repeated: ReadonlySet<string>;
}

export function failedTurns(all: readonly TranscriptItem[]): FailedTurns {
  const entries = new Set<string>();
  const repeated = new Set<string>();
  let asked: MessageItem | undefined;
  let failed: MessageItem | undefined;
  for (const item of all) {
    if (item.kind === 'message' && item.role === 'user') {
      if (failed?.entry !== undefined && failed.text === item.text) repeated.add(failed.entry);
      asked = item;
      failed = undefined;
    }
    const isFailure = item.kind === 'end' && (item.outcome === 'failed' || item.error !== undefined);
    if (isFailure && item.run === asked?.run && asked.entry !== undefined) {
      entries.add(asked.entry);
      failed = asked;
    }
  }
  return { entries, repeated };
}

/** The conversation as read: its entries, and how many items there were then. */
interface ReadBranch {
  readonly places: ReadonlyMap<string, unknown>;
  readonly until: number;
}

/** How a message is sent again after a failed answer. */
export type Again =
  /** The conversation does not have it: it is sent once more. */
  | { readonly kind: 'retry'; readonly message: MessageItem }
  /** The conversation has it and what was done for it: the model is asked to go on. */
  | { readonly kind: 'continue' };

/**
 * The way to go on after an answer that failed, or ended at the round limit, at the end of the
 * conversation; undefined for any other end.
 */
export function againAfter(
  rows: readonly TranscriptItem[],
  branch: ReadBranch | undefined,
): Again | undefined {
  const end = rows.at(-1);
  if (branch === undefined || end?.kind !== 'end' || end.waited) return undefined;
  if (end.outcome !== 'failed' && end.outcome !== 'limit') return undefined;
  const asked = rows.findLast((item) => item.kind === 'message' && item.role === 'user');
  if (asked?.kind !== 'message' || asked.run !== end.run || asked.entry === undefined) return undefined;
  if (branch.places.has(asked.entry)) return { kind: 'continue' };
  return asked.index < branch.until ? { kind: 'retry', message: asked } : undefined;
}
