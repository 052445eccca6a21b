import { createHash } from 'node:crypto';

/** A list marker, and the day of writing: not part of a line's meaning. */
const LEAD = /^\s*(?:[-*+]\s+)?(?:\d{4}-\d{2}-\d{2}:\s+)?/u;

/** A heading is compared by its text, as in a file or in a trail of headings. */
const HEADING_LEAD = /^\s*#{1,6}\s+/u;

/**
 * Punctuation and symbols without meaning. Other signs have one: Unicode classifies some letters as
 * pictures.
 */
const ONLY_DRAWS = /^[\p{P}\p{Z}\p{C}\p{Sm}\p{Sk}\p{Sc}\s]*$/u;

/** Invisible characters: controls, and characters without a shape (FT58). */
const UNSEEN = /[\p{Cc}\p{Cf}\u{e0000}-\u{e0fff}\u115f\u1160\u3164\uffa0]|\u034f/gu;

/**
 * The text of a line in normal spelling: without case, spaces, list marks and invisible characters.
 */
export function plainText(line: string): string {
  return line
    .replace(LEAD, '')
    .normalize('NFKC')
    .replaceAll(UNSEEN, (unseen) => (unseen === '\t' || unseen === '\n' || unseen === '\r' ? ' ' : ''))
    .toLowerCase()
    .replaceAll(/\s+/gu, ' ')
    .trim();
}

/**
 * The key of a line at any position: SHA-256 of its text, hex. Moving or indenting it, or another
 * list marker, keeps the key; any other word changes it.
 *
 * @returns undefined for a line without text
 */
export function lineKey(line: string): string | undefined {
  const text = plainText(line.replace(HEADING_LEAD, ''));
  return ONLY_DRAWS.test(text) ? undefined : createHash('sha256').update(text).digest('hex');
}

/** True for text with invisible characters, or characters that reorder others. */
export function hidesCharacters(text: string): boolean {
  return text.replaceAll(/[\t\n\r]|^\ufeff/gu, '').search(UNSEEN) >= 0;
}
