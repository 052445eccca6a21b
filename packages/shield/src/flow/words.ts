/**
 * Text as words: one spelling for what a person types and what a tool gives. Compatibility forms, case, accents and
 * punctuation fall away, so that "Café-Bar" and "cafe bar" are the same two words.
 */
export function wordsOf(text: string): readonly string[] {
  return fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The same, as one text that begins and ends with a space, so that whole words can be looked for in it. */
export function spacedWords(text: string): string {
  return ` ${wordsOf(text).join(' ')} `;
}

/** Compatibility forms, case and accents away; everything else stays. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase();
}

/** Words that tell nothing about which thing is meant. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  `a an and are as at be but by can could did do does for from had has have he her him his how i if in into is it its
  just me my no not of on or our please she so some than that the their them then there these they this those to up us
  was we were what when where which who will with would you your about all also any new last next`.split(
    /\s+/u,
  ),
);

/** The words of `text` that tell which thing is meant. */
export function tellingWords(text: string): readonly string[] {
  return wordsOf(text).filter((word) => word.length > 1 && !EMPTY_WORDS.has(word));
}

const STEM_LENGTH = 4;

/** True if two words look like forms of one: equal, or the same beginning and an ending of at most four letters. */
export function sameStem(a: string, b: string): boolean {
  if (a === b) return true;
  const shortest = Math.min(a.length, b.length);
  if (shortest < STEM_LENGTH || Math.abs(a.length - b.length) > 4) return false;
  let same = 0;
  while (same < shortest && a[same] === b[same]) same += 1;
  return same >= STEM_LENGTH && shortest - same <= 3 && !/\p{N}/u.test(a + b);
}
