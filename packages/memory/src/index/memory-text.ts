import type { MemorySource } from '../memory-hit.ts';

/** A file of the user's: read again when its state on the disk differs. */
export interface FileText {
  readonly source: MemorySource;
  /** Below `folder`, with `/`; links on the way are not followed. */
  readonly path: string;
  /** The profile's folder, a path the engine chose. */
  readonly folder: string;
}

/** A text that its owner holds, such as a past session's. */
export interface GivenText {
  readonly source: MemorySource;
  /** `sessions/ID`. */
  readonly path: string;
  /** Differs when the text does, as a log position does; not empty. */
  readonly version: string;
  /** Asked only when `version` isn't the one that is indexed. */
  read(): Promise<string>;
}

/** A text that should be found. */
export type MemoryText = FileText | GivenText;
