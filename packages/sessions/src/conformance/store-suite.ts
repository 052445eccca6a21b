import type { SessionStore } from '../session-store.ts';

/**
 * The input of a part of the conformance suite: a new store for each case, with an empty session
 * `s` made at 500.
 */
export interface StoreSuite {
  readonly store: SessionStore;
  /** The flag of the store's sessions. */
  readonly offTheRecord: boolean;
}
