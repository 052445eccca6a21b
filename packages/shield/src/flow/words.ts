/**
 * Splits text into words: one spelling for typed text and tool results. Compatibility forms, case,
 * accents and punctuation are removed, so that "Café-Bar" and "cafe bar" are the same two words.
 */
export function wordsOf(text: string): readonly string[] {
  return fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The same words as one text with a space at both ends, for searching whole words. */
export function spacedWords(text: string): string {
  return ` ${wordsOf(text).join(' ')} `;
}

/** Removes compatibility forms, case and accents; keeps everything else. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase();
}

/** Words that do not identify a thing. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  `a an and are as at be but by can could did do does for from had has have he her him his how i if in into is it its
  just me my no not of on or our please she so some than that the their them then there these they this those to up us
  was we were what when where which who will with would you your about all also any new last next`.split(
    /\s+/u,
  ),
);

/** Returns the words of `text` that identify a thing. */
export function tellingWords(text: string): readonly string[] {
  return wordsOf(text).filter((word) => word.length > 1 && !EMPTY_WORDS.has(word));
}

const STEM_LENGTH = 4;

/**
 * True if two words seem to be forms of one: equal, or the same start and an ending of at most four
 * letters.
 */
export function sameStem(a: string, b: string): boolean {
  if (a === b) return true;
  const shortest = Math.min(a.length, b.length);
  if (shortest < STEM_LENGTH || Math.abs(a.length - b.length) > 4) return false;
  let same = 0;
  while (same < shortest && a[same] === b[same]) same += 1;
  return same >= STEM_LENGTH && shortest - same <= 3 && !/\p{N}/u.test(a + b);
}
