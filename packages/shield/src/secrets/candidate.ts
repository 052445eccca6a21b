/**
 * What one more character means for a candidate:
 * - `undecided`: it may still become a secret;
 * - `refused`: it is none, and never will be;
 * - `hidden`: it is one, the character belongs to it, and more may follow;
 * - `last`: it is one, and ends with this character;
 * - `past`: it is one, and ended before this character.
 */
export type Step = 'undecided' | 'refused' | 'hidden' | 'last' | 'past';

/**
 * One attempt to read a secret from one place of a text, a character at a time. What it says depends on the characters
 * alone, never on how they were cut into chunks. Each takes constant time for a character, and is undecided for a bounded
 * number of characters that it holds back.
 */
export interface Candidate {
  /** What the person is told that stood here. */
  readonly kind: string;
  /** Place of the first character that would be hidden; undefined while nothing that has come would be. */
  readonly from: number | undefined;
  /**
   * @param code UTF-16 code unit
   * @param at its place in the text
   */
  take(code: number, at: number): Step;
  /** True if what has come is a secret, now that nothing follows. Asked only while undecided. */
  end(): boolean;
}

/** Where an anchor was found. */
export interface AnchorPlace {
  /** Place of its first character. */
  readonly start: number;
  /** Place after its last one: the first character that the candidate is given. */
  readonly next: number;
  /** Up to `CONTEXT` characters before it. */
  readonly before: string;
}

/** Characters before an anchor that a format may look at. */
export const CONTEXT = 40;

/** A kind of secret that is known by how it begins. */
export interface SecretFormat {
  readonly anchors: readonly string[];
  /** True if the anchor is part of what is hidden. */
  readonly holds: boolean;
  /** True if the anchor may have line breaks inside. */
  readonly acrossLines?: true;
  /** Undefined if no secret of this kind can begin in this place. */
  open(place: AnchorPlace): Candidate | undefined;
}
