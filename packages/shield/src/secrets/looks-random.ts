/** Shortest random text, in characters: 64 bits and more in every alphabet but hex. */
const LEAST = 16;
const LEAST_HEX = 32;
const LEAST_WITHOUT_DIGITS = 24;
/**
 * Bits for each character, by the characters' own frequencies. 16 random ones of base64 have 3.8,
 * words less than 3.
 */
const LEAST_ENTROPY = 3;
/**
 * Share of neighbours of different classes: 0.6 in random base62, a third at most in words written
 * together.
 */
const LEAST_CHANGE = 0.4;

const HEX = /^[\da-f]+$|^[\dA-F]+$/;
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const WORDS = /^(?:[a-z]+|[A-Z]+|[A-Z][a-z]+|\d+)$/;

/**
 * True if a text looks machine-generated, as keys do, and names, paths, versions and sentences
 * don't. Hashes look the same, so use it only where a secret is likely.
 *
 * @param text without white space
 */
export function looksRandom(text: string): boolean {
  if (UUID.test(text)) return true;
  if (isPath(text)) return false;
  const piece = longest(text.split(/[.:]/));
  if (piece.length < LEAST) return false;
  if (HEX.test(piece) && /\d/.test(piece)) return piece.length >= LEAST_HEX && new Set(piece).size >= 6;
  const parts = piece.split(/[-_/]/).filter((part) => part !== '');
  if (parts.every((part) => WORDS.test(part))) return longest(parts).length >= LEAST && isMixed(piece);
  return isMixed(piece);
}

function isMixed(text: string): boolean {
  const digits = countOf(text, /\d/g);
  const upper = countOf(text, /[A-Z]/g);
  const lower = countOf(text, /[a-z]/g);
  if (entropyOf(text) < LEAST_ENTROPY) return false;
  if (digits >= 2 && upper + lower >= 4) return /\d[^\d]*[A-Za-z]/.test(text);
  const isLong = text.length >= LEAST_WITHOUT_DIGITS;
  return isLong && upper >= 4 && lower >= 4 && changesOf(text) / text.length >= LEAST_CHANGE;
}

function isPath(text: string): boolean {
  return /^(?:\.{0,2}|~)\/|:\/\//.test(text) || countOf(text, /\//g) > 2 + text.length / 16;
}

function longest(parts: readonly string[]): string {
  return parts.reduce((best, part) => (part.length > best.length ? part : best), '');
}

function countOf(text: string, characters: RegExp): number {
  return text.match(characters)?.length ?? 0;
}

/**
 * Bits per character of a text's own distribution (Shannon). Random base64 of 40 characters has
 * about 4.7, words 3.5 to 4.
 */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

function changesOf(text: string): number {
  let changes = 0;
  for (let index = 1; index < text.length; index += 1) {
    if (classOf(text.charCodeAt(index)) !== classOf(text.charCodeAt(index - 1))) changes += 1;
  }
  return changes;
}

function classOf(code: number): number {
  if (code >= 48 && code <= 57) return 0;
  if (code >= 65 && code <= 90) return 1;
  return code >= 97 && code <= 122 ? 2 : 3;
}
