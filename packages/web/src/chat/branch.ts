import type { BranchEntry } from '@bulkhead/protocol/client';
import type { TranscriptItem } from '@bulkhead/protocol/transcript';

/** Branch data of a message: its position, and data that events lack. */
export interface BranchPlace {
  readonly entryId: string;
  /** The entry before it; empty for the first. */
  readonly before: string;
  readonly label: string;
  /**
   * Alternative messages at its position, including itself, oldest first; empty without
   * alternatives.
   */
  readonly siblings: readonly string[];
  readonly images: readonly { readonly mediaType: string; readonly data: Uint8Array }[];
  readonly files: readonly { readonly name: string; readonly text: string }[];
}

/** The conversation from its root to its current entry, as last read. */
export interface Branch {
  /** By id of the entry. */
  readonly places: ReadonlyMap<string, BranchPlace>;
  /** The entry at its end; empty if it has none. */
  readonly last: string;
  /** Number of transcript items at that time: later ones follow the branch's end. */
  readonly until: number;
}

/** The parts of a transcript that belong to the current conversation. */
export interface CurrentItems {
  readonly items: readonly TranscriptItem[];
  /** By index of the item. */
  readonly places: ReadonlyMap<number, BranchPlace>;
  /** Messages on abandoned branches. */
  readonly left: number;
}

/**
 * @param entries from the root to the current entry; or, to continue a branch, those after its
 *   `last`
 * @param read the branch as read before, if it may continue
 */
export function branchOf(entries: readonly BranchEntry[], until: number, read?: Branch): Branch {
  const goesOn = read !== undefined && !entries.some(({ entryId }) => read.places.has(entryId));
  const places = new Map(goesOn ? read.places : []);
  let before = goesOn ? read.last : '';
  for (const entry of entries) {
    places.set(entry.entryId, placeOf(entry, before));
    before = entry.entryId;
  }
  return { places, last: before, until };
}

/**
 * Events include abandoned branches; the branch selects those of the current conversation.
 *
 * @param branch undefined if not read yet: then nothing counts as abandoned
 */
export function currentItems(all: Iterable<TranscriptItem>, branch: Branch | undefined): CurrentItems {
  const items: TranscriptItem[] = [];
  const places = new Map<number, BranchPlace>();
  let left = 0;
  let isLeft = false;
  for (const item of all) {
    // Incomplete answers and failed attempts are not entries.
    if (item.kind === 'message' && item.entry !== undefined) {
      const place = branch?.places.get(item.entry);
      if (place !== undefined) places.set(item.index, place);
      isLeft = branch !== undefined && place === undefined && item.index < branch.until;
      if (isLeft) left += 1;
    }
    if (!isLeft) items.push(item);
  }
  return { items, places, left };
}

function placeOf({ entryId, label, siblings, message }: BranchEntry, before: string): BranchPlace {
  const said = message?.role.case === 'user' ? message.role.value : undefined;
  return { entryId, before, label, siblings, images: said?.images ?? [], files: said?.attachments ?? [] };
}
