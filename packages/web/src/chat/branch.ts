import type { BranchEntry } from '@bulkhead/protocol/client';
import type { TranscriptItem } from '@bulkhead/protocol/transcript';

/** What the branch has of a message: where it stands, and what events don't carry. */
export interface BranchPlace {
  readonly entryId: string;
  /** The entry before it; empty for the first. */
  readonly before: string;
  readonly label: string;
  /** Messages that stand in its place, itself among them, the oldest first; none if there is no other. */
  readonly siblings: readonly string[];
  readonly images: readonly { readonly mediaType: string; readonly data: Uint8Array }[];
  readonly files: readonly { readonly name: string; readonly text: string }[];
}

/** The conversation from its root to where it stands, as it was read. */
export interface Branch {
  /** By id of the entry. */
  readonly places: ReadonlyMap<string, BranchPlace>;
  /** The entry it ends with; empty if it has none. */
  readonly last: string;
  /** Items that the transcript had then: what came later stands behind the branch's end. */
  readonly until: number;
}

/** What of a transcript the conversation still consists of. */
export interface CurrentItems {
  readonly items: readonly TranscriptItem[];
  /** By index of the item. */
  readonly places: ReadonlyMap<number, BranchPlace>;
  /** Messages on branches that were left. */
  readonly left: number;
}

/**
 * @param entries from the root to where the conversation stands; or, of a branch that goes on, those behind its `last`
 * @param read the branch as it was read before, if it may go on
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
 * Events tell all that happened, also on branches that were left; the branch tells which of it the conversation still is.
 *
 * @param branch undefined if it was not read yet: then nothing counts as left
 */
export function currentItems(all: Iterable<TranscriptItem>, branch: Branch | undefined): CurrentItems {
  const items: TranscriptItem[] = [];
  const places = new Map<number, BranchPlace>();
  let left = 0;
  let isLeft = false;
  for (const item of all) {
    // Answers under way and failed attempts are no entries.
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
