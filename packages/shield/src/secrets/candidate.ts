/**
 * The effect of one more character on a candidate:
 * - `undecided`: it may still become a secret;
 * - `refused`: it is not a secret, and never will be;
 * - `hidden`: it is a secret, includes the character, and may continue;
 * - `last`: it is a secret, and ends with this character;
 * - `past`: it is a secret, and ended before this character.
 */
export type Step = 'undecided' | 'refused' | 'hidden' | 'last' | 'past';

/**
 * One attempt to read a secret at one place of a text, character by character. Its answers depend
 * only on the characters, never on chunk borders. Each takes constant time for a character, and
 * stays undecided for a bounded number of characters that it holds back.
 */
export interface Candidate {
  /** The kind of secret, shown to the person in its place. */
  readonly kind: string;
  /**
   * Position of the first character to hide; undefined while no character so far would be hidden.
   */
  readonly from: number | undefined;
  /**
   * @param code UTF-16 code unit
   * @param at its position in the text
   */
  take(code: number, at: number): Step;
  /**
   * True if the characters so far are a secret, with nothing following. Called only while
   * undecided.
   */
  end(): boolean;
}

/** The position of a found anchor. */
export interface AnchorPlace {
  /** Position of its first character. */
  readonly start: number;
  /** Position after its last character: the candidate receives this one first. */
  readonly next: number;
  /** Up to `CONTEXT` characters before it. */
  readonly before: string;
}

/** Characters before an anchor that a format may look at. */
export const CONTEXT = 40;

/** A kind of secret recognized by its start. */
export interface SecretFormat {
  readonly anchors: readonly string[];
  /** True if the anchor is hidden, too. */
  readonly holds: boolean;
  /** True if the anchor may have line breaks inside. */
  readonly acrossLines?: true;
  /** Undefined if no secret of this kind can start here. */
  open(place: AnchorPlace): Candidate | undefined;
}
