/** Longest word: a longer one is data, and only its start counts. */
const LONGEST_WORD = 40;
const WORD = /[\p{L}\p{N}]+(?:['’][\p{L}]{1,3}(?![\p{L}\p{N}]))?/gu;
/** Scripts without spaces between words: each sign counts as a word. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;
const MARKS = /\p{M}+/gu;
const CONTRACTION = /['’](?:s|t|d|m|ll|re|ve)$/u;
const FOLDED: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ł: 'l',
  ı: 'i',
  þ: 'th',
  ð: 'd',
};

/**
 * Returns the words of a text in order: lower case, without accents, possessive and shortened
 * endings.
 * Time and memory are linear in the text.
 */
export function words(text: string): string[] {
  const found = fold(text).match(WORD) ?? [];
  return found.map((word) => trimmed(word));
}

/** Lower case without accents, so that `Café`, `CAFE` and `café` are equal. */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  if (isPlain(lower)) return lower;
  return lower
    .normalize('NFKD')
    .replace(MARKS, '')
    .replace(/[ßæœøđłıþð]/gu, (sign) => FOLDED[sign] ?? sign)
    .replace(UNSPACED, ' $& ');
}

function trimmed(word: string): string {
  const bare =
    word.includes("'") || word.includes('’') ? word.replace(CONTRACTION, '').replace(/['’]/gu, '') : word;
  return bare.length > LONGEST_WORD ? bare.slice(0, LONGEST_WORD) : bare;
}

function isPlain(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 127) return false;
  return true;
}
