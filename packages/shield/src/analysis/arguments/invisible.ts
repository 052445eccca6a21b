/**
 * Characters that are not visible: zero width, direction, tags, variation selectors, controls
 * (FT58). Joiners are ordinary between letters of scripts that need them, and within emoji.
 */
const INVISIBLE =
  /(?![\t\n\r]|\ufe0e|\ufe0f|[\u0600-\u0605]|\u06dd)[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
/** A quick check: most texts have no other characters. */
const MAY_HIDE = /[^\t\n\r\x20-\x7e]/;
/** Reorders or carries invisible text; no ordinary text needs it. */
const DECEIVES = /[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u;
const JOINER = /[\u200c\u200d]/;
/** Emoji, and letters of scripts that join. */
const JOINED =
  /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f|\p{M}|(?!\p{sc=Latin}|\p{sc=Greek}|\p{sc=Cyrillic})\p{L})$/u;
const FLAG_BASE = '\u{1f3f4}';

/** The invisible characters of a text. */
export interface Invisible {
  /** Code points, as `U+200B`, the first few. */
  readonly shown: string;
  /** True if it hides or reorders text, not only a stray mark. */
  readonly deceives: boolean;
}

/** @returns undefined if all of the text is visible */
export function invisibleIn(text: string): Invisible | undefined {
  if (!MAY_HIDE.test(text)) return undefined;
  const found = new Set<string>();
  let count = 0;
  let deceives = false;
  for (const match of text.matchAll(INVISIBLE)) {
    if (isOrdinary(text, match.index, match[0])) continue;
    count += 1;
    deceives ||= DECEIVES.test(match[0]);
    if (found.size < 4)
      found.add(`U+${(match[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`);
  }
  if (count === 0) return undefined;
  return { shown: [...found].join(', '), deceives: deceives || count > 16 };
}

function isOrdinary(text: string, at: number, character: string): boolean {
  // A byte order mark.
  if (character === '\ufeff') return at === 0;
  // The flags of England, Scotland and Wales are written in tags.
  if (character > '\u{e0000}' && character.codePointAt(0) !== 0xe0001)
    return text.lastIndexOf(FLAG_BASE, at) > at - 16 && at > 0;
  if (!JOINER.test(character)) return false;
  const before = text.slice(Math.max(0, at - 2), at);
  return JOINED.test(before);
}

/** Returns the text without invisible characters. */
export function visible(text: string): string {
  return MAY_HIDE.test(text) ? text.replaceAll(INVISIBLE, '') : text;
}
