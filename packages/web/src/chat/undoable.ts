import {
  type EndItem,
  type ItemList,
  itemAt,
  type ToolItem,
  type TranscriptItem,
} from '@bulkhead/protocol/transcript';

/**
 * Whether a call may have left changes to undo. A command without a transaction may have changed
 * anything; a failed one may have kept its changes.
 */
export function mayBeUndone({ action, state, tool, diff, effects }: ToolItem): boolean {
  if (action === undefined || (state !== 'done' && state !== 'failed')) return false;
  if (effects?.kept === true && effects.created + effects.changed + effects.deleted > 0) return true;
  if (state === 'failed') return false;
  return diff !== undefined || (tool === 'bash' && effects === undefined);
}

/** Whether any call of the answer with this end may have left changes to undo. */
export function answerMayBeUndone(items: ItemList<TranscriptItem>, { run, index }: EndItem): boolean {
  if (run === '') return false;
  for (let at = index - 1; at >= 0; at -= 1) {
    const item = itemAt(items, at);
    if (item === undefined || (item.kind === 'end' && !item.waited)) return false;
    if (item.kind === 'tool' && item.run === run && mayBeUndone(item)) return true;
  }
  return false;
}
