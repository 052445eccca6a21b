import type { MemorySource } from '../memory-hit.ts';

/** A user's file: read again when its state on the disk differs. */
export interface FileText {
  readonly source: MemorySource;
  /** Below `folder`, with `/`; links on the way are not followed. */
  readonly path: string;
  /** The profile's folder, a path the engine chose. */
  readonly folder: string;
}

/** A text provided by its owner, such as a past session's. */
export interface GivenText {
  readonly source: MemorySource;
  /** `sessions/ID`. */
  readonly path: string;
  /** Differs when the text does, as a log position does; not empty. */
  readonly version: string;
  /** Called only when `version` differs from the indexed one. */
  read(): Promise<string>;
}

/** A text to index. */
export type MemoryText = FileText | GivenText;
