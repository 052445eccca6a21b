import type { BranchEntry } from '@bulkhead/protocol/client';
import type { MessageItem, TranscriptItem } from '@bulkhead/protocol/transcript';
import { failedTurns } from './failed-turns.ts';

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

/** `left`: on another branch. `repeated`: it failed, and was sent again. */
type Fate = 'shown' | 'left' | 'repeated';

/**
 * Events include abandoned branches; the branch selects those of the current conversation.
 *
 * @param branch undefined if not read yet: then nothing counts as abandoned
 */
export function currentItems(all: Iterable<TranscriptItem>, branch: Branch | undefined): CurrentItems {
  const list = [...all];
  const places = new Map<number, BranchPlace>();
  const failed = failedTurns(list);
  const shown = new Set(branch?.places.keys());
  let left = 0;
  /** Whether a message and what follows it are shown. */
  const fateOf = (message: MessageItem & { readonly entry: string }): Fate => {
    const { entry, before = '', index } = message;
    const place = branch?.places.get(entry);
    if (place !== undefined) places.set(index, place);
    if (branch === undefined || place !== undefined || index >= branch.until) return 'shown';
    if (!failed.entries.has(entry) || !(before === '' || shown.has(before))) return 'left';
    shown.add(entry);
    return failed.repeated.has(entry) ? 'repeated' : 'shown';
  };
  let fate: Fate = 'shown';
  const items = list.filter((item) => {
    // Incomplete answers and failed attempts are not entries.
    if (item.kind === 'message' && item.entry !== undefined) {
      fate = fateOf({ ...item, entry: item.entry });
      if (fate === 'left') left += 1;
    }
    return fate === 'shown';
  });
  return { items, places, left };
}

function placeOf({ entryId, label, siblings, message }: BranchEntry, before: string): BranchPlace {
  const said = message?.role.case === 'user' ? message.role.value : undefined;
  return { entryId, before, label, siblings, images: said?.images ?? [], files: said?.attachments ?? [] };
}
