/** A piece of a text, of a size that a model reads and a search compares. */
export interface Chunk {
  /** Place among the chunks of its text, from 0. */
  readonly ordinal: number;
  /** Headings above its first line, outermost first, joined by ` > `; empty above the first. */
  readonly heading: string;
  /** Its day, `YYYY-MM-DD`; empty if neither a heading nor the file's name contains one. */
  readonly date: string;
  /** First and last line in the text, from 1. */
  readonly lines: readonly [number, number];
  /**
   * The lines, joined by `\n`. A line longer than a chunk is cut into pieces, each with the same
   * number.
   */
  readonly text: string;
}

/**
 * Assumed length of a token. Real tokenizers give 3 to 5 for prose, which suffices for the sizes
 * below.
 */
const CHARACTERS_PER_TOKEN = 4;

/** Most characters of a chunk (400 tokens). */
export const CHUNK_LENGTH = 400 * CHARACTERS_PER_TOKEN;

/** Most characters that two chunks beside each other share (80 tokens). */
export const OVERLAP_LENGTH = 80 * CHARACTERS_PER_TOKEN;
