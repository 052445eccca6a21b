/** The kind of text a chunk comes from. */
export type MemorySource = 'memory' | 'daily' | 'heartbeat' | 'agents' | 'knowledge' | 'session';

/** A piece of the user's texts, as search finds it. */
export interface MemoryHit {
  readonly source: MemorySource;
  /** Of the file, below the profile's folder, with `/`; for a session, `sessions/ID`. */
  readonly path: string;
  /** Headings above it, outermost first, joined by ` > `; empty above the first. */
  readonly heading: string;
  /** Its day, `YYYY-MM-DD`, from the file's name or a dated heading; empty if there is none. */
  readonly date: string;
  /** First and last line in the file, from 1. */
  readonly lines: readonly [number, number];
  /** The lines themselves. */
  readonly text: string;
  /** Larger is nearer; comparable within one answer only. */
  readonly score: number;
}
