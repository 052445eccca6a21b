import type { SessionStore } from '../session-store.ts';

/** What a part of the conformance suite works on: a new store for each case, with an empty session `s` made at 500. */
export interface StoreSuite {
  readonly store: SessionStore;
  /** What the store's sessions say of themselves. */
  readonly offTheRecord: boolean;
}
