import type { MemoryHit, MemorySource } from '@bulkhead/memory';

/** A file that the index is a view of: read again when its state on the disk differs. */
interface IndexedFile {
  readonly source: MemorySource;
  /** Below `folder`, with `/`. */
  readonly path: string;
  /** The profile's folder. */
  readonly folder: string;
}

/** A text that the engine holds: a past session's. */
export interface IndexedSession {
  readonly source: MemorySource;
  /** `sessions/ID` */
  readonly path: string;
  /** Another one when the text is another one. */
  readonly version: string;
  read(): Promise<string>;
}

export type IndexedText = IndexedFile | IndexedSession;

/** The part of the index of memory that the engine uses. */
export interface MemoryIndex extends AsyncDisposable {
  /** Makes the index one of these texts and of no others; with `sources`, of no others of these. */
  sync(
    texts: readonly IndexedText[],
    options: { readonly sources?: readonly MemorySource[]; readonly signal: AbortSignal },
  ): Promise<unknown>;
  search(
    query: string,
    options: {
      readonly limit: number;
      readonly now: Date;
      readonly sources?: readonly MemorySource[];
      /** How long the vector of the query may take, milliseconds; then words alone answer. */
      readonly vectorWithin?: number;
    },
  ): Promise<readonly MemoryHit[]>;
  /** Drops all that is in it: the next `sync` reads everything again. */
  clear(): Promise<void>;
}
