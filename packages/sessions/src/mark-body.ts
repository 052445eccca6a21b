import type { MarkType, RecordOf } from '@bulkhead/protocol/records';

/**
 * The fault of a mark that is to be appended; undefined if it has none.
 * @param hasEntry whether an id is an entry of the tree; `keptFrom` may also name the compaction
 *   itself
 */
export function faultOfMark(
  mark: RecordOf<MarkType> & { readonly id: string; readonly parent: string | null },
  hasEntry: (id: string) => boolean,
): string | undefined {
  if (mark.type === 'label' && mark.parent === null) return 'a label needs a parent, the entry it is put on';
  if (mark.type !== 'compaction') return undefined;
  const { keptFrom } = mark.body;
  return keptFrom === mark.id || hasEntry(keptFrom) ? undefined : `keptFrom ${keptFrom} is not an entry`;
}
