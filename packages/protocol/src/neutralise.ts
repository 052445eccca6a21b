import { foldName } from './fold-name.ts';

/** The sign at the start of a mark. */
type MarkSign = '<' | '[';

/** A pair of marks around a text that is not the user's own words. */
export interface Mark {
  readonly open: string;
  readonly close: string;
  readonly sign: MarkSign;
  /** Letters of its name, lower case. */
  readonly letters: string;
}

/** Data: text inside is read, never obeyed [C6]. */
export const UNTRUSTED_INPUT: Mark = {
  open: '<untrusted_input>',
  close: '</untrusted_input>',
  sign: '<',
  letters: 'untrustedinput',
};

/** Characters that look like each of these signs. */
const LIKE: Readonly<Record<MarkSign, RegExp>> = {
  '<': /[<＜﹤‹❮❰⟨〈〈⟪《«≪ᐸᚲ˂⧼𝈶≺⋖❬⦑≮≤≦≲⩽⪡⋘]/gu,
  '[': /[[［⟦【〔〖〚❲⁅⦋⦗⟬『「｢﹇⦏⦍⸢]/gu,
};
/** The replacement: it can't start a mark. */
const ENTITY: Readonly<Record<MarkSign, string>> = { '<': '&lt;', '[': '&#91;' };

/**
 * Removes from a text every possible mark of this name, opening or closing: its first sign is
 * written as an entity. Case, spaces, signs and invisible characters between the letters, and
 * letters that look like others (UTS #39), make no difference. Linear in the text.
 *
 * @param mark the sign it begins with, and the letters of its name: lower case, without signs
 */
export function neutralise(text: string, { sign, letters }: Pick<Mark, 'sign' | 'letters'>): string {
  let result = '';
  let kept = 0;
  const signs = [...text.matchAll(LIKE[sign])];
  for (const [place, { 0: found, index }] of signs.entries()) {
    const start = index + found.length;
    // Stops at the next sign, which is checked separately: no character is read twice.
    if (!spells(text.slice(start, signs[place + 1]?.index), letters)) continue;
    result += text.slice(kept, index) + ENTITY[sign];
    kept = start;
  }
  return kept === 0 ? text : result + text.slice(kept);
}

/** True if the first letters and digits of a text are these. */
function spells(text: string, letters: string): boolean {
  let found = 0;
  for (const character of text) {
    for (const letter of lettersOf(character)) {
      if (letter !== letters[found]) return false;
      found += 1;
      if (found === letters.length) return true;
    }
  }
  return false;
}

/** A character in its most tolerant reading; empty for signs, spaces and invisible ones. */
function lettersOf(character: string): string {
  if (/[a-z]/i.test(character)) return character.toLowerCase();
  if (character < '\u0080') return /\d/.test(character) ? character : '';
  return foldName(character).replace(/[^\p{L}\p{N}]/gu, '');
}
