/**
 * Partly known texts. Three characters of Unicode's private use area mark unknown parts; one that
 * was already in the text counts as unknown, which only makes the judge stricter.
 */

/** Any text. */
export const HOLE = '\uE000';
/** A glob's `*`: any text of one component. */
export const STAR = '\uE001';
/** A glob's `?` or `[…]`: one character. */
export const ONE = '\uE002';

const MARKERS = /[\uE000-\uE002]/;

/** True if all of the text is known. */
export function isKnown(text: string): boolean {
  return !MARKERS.test(text);
}

/** True if the text has a wholly unknown part; a glob, by contrast, stands for existing names. */
export function hasHole(text: string): boolean {
  return text.includes(HOLE);
}

/** For people: unknown parts as `…`, globs as written. */
export function displayText(text: string): string {
  return isKnown(text) ? text : text.replaceAll(HOLE, '…').replaceAll(STAR, '*').replaceAll(ONE, '?');
}

/**
 * Checks whether a pattern of one component can stand for a name. At worst linear in the product of
 * both lengths.
 *
 * @param pattern with markers
 * @param name without
 */
export function mayBe(pattern: string, name: string): boolean {
  let at = 0;
  let from = 0;
  let star = -1;
  let resume = 0;
  while (from < name.length) {
    const sign = pattern[at];
    if (sign === STAR || sign === HOLE) {
      star = at;
      at += 1;
      resume = from;
    } else if (sign === ONE || sign === name[from]) {
      at += 1;
      from += 1;
    } else if (star >= 0) {
      at = star + 1;
      resume += 1;
      from = resume;
    } else return false;
  }
  while (pattern[at] === STAR || pattern[at] === HOLE) at += 1;
  return at === pattern.length;
}
