import { type BranchEntry, ClientService } from '@bulkhead/protocol/client';
import type { MessageItem, TranscriptItem } from '@bulkhead/protocol/transcript';
import type { Api } from '../api/api.ts';

/** What the branch has of a message: where it stands, and what events don't carry. */
export interface BranchPlace {
  readonly entryId: string;
  /** The entry before it; empty for the first. */
  readonly before: string;
  readonly label: string;
  readonly images: readonly { readonly mediaType: string; readonly data: Uint8Array }[];
}

/**
 * The conversation from its root to where it stands, as the engine has it. Events tell what happened, also on branches that were
 * left; this tells which of it the conversation still is. Both are of one record, so they agree in role and time.
 */
export class Branch {
  readonly #api: Api;
  readonly #session: string;
  #places: ReadonlyMap<string, BranchPlace> = $state.raw(new Map());
  /** Last durable event when it was read: what came later stands at the end of it. */
  #until = $state(-1);

  constructor(api: Api, session: string) {
    this.#api = api;
    this.#session = session;
  }

  /** @param items how many items the transcript had when this was asked for */
  async read(items: number): Promise<void> {
    const places = new Map<string, BranchPlace>();
    let before = '';
    const pages = this.#api.stream(ClientService.method.readBranch, { sessionId: this.#session });
    for await (const { entries } of pages) {
      for (const entry of entries) {
        const role = entry.message?.role.case;
        if (role === 'user' || role === 'assistant') places.set(keyOf(role, entry.time), placeOf(entry, before));
        before = entry.entryId;
      }
    }
    this.#places = places;
    this.#until = items;
  }

  /** Where a message stands; undefined if it is not known (yet). */
  placeOf({ role, time }: MessageItem): BranchPlace | undefined {
    return this.#places.get(keyOf(role, time));
  }

  /** The items that the conversation still consists of, and how many it left. */
  current(items: Iterable<TranscriptItem>): { readonly items: readonly TranscriptItem[]; readonly left: number } {
    const current: TranscriptItem[] = [];
    let left = 0;
    let isLeft = false;
    for (const item of items) {
      if (item.kind === 'message') isLeft = this.#isLeft(item);
      if (item.index >= this.#until) isLeft = false;
      if (!isLeft) current.push(item);
      else if (item.kind === 'message') left += 1;
    }
    return { items: current, left };
  }

  #isLeft(item: MessageItem): boolean {
    if (this.#until < 0 || item.blank === true || item.streaming || item.stopReason === 'error') return false;
    return !this.#places.has(keyOf(item.role, item.time));
  }
}

function keyOf(role: string, time: string): string {
  return `${role} ${time}`;
}

function placeOf({ entryId, label, message }: BranchEntry, before: string): BranchPlace {
  const images = message?.role.case === 'user' ? message.role.value.images : [];
  return { entryId, before, label, images };
}
