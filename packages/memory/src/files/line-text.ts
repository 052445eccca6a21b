import { createHash } from 'node:crypto';

/** A list marker, and the day a line was written: they are not what it says. */
const LEAD = /^\s*(?:[-*+]\s+)?(?:\d{4}-\d{2}-\d{2}:\s+)?/u;

/** A heading is known by what it says, as it stands in a file and in a trail of headings. */
const HEADING_LEAD = /^\s*#{1,6}\s+/u;

/** What draws and says nothing. Any other sign does: there are letters that Unicode counts as pictures. */
const ONLY_DRAWS = /^[\p{P}\p{Z}\p{C}\p{Sm}\p{Sk}\p{Sc}\s]*$/u;

/** Nothing a reader sees: controls, and characters that have no shape (FT58). */
const UNSEEN = /[\p{Cc}\p{Cf}\u{e0000}-\u{e0fff}\u115f\u1160\u3164\uffa0]|\u034f/gu;

/** What a line says, however it is spelled: case, spaces, marks of lists and unseen characters left out. */
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
 * What a line is known by, wherever it stands: SHA-256 of what it says, hex. Moving it, indenting it, or another list marker
 * makes it no other line; any other word does.
 *
 * @returns undefined for a line that says nothing
 */
export function lineKey(line: string): string | undefined {
  const text = plainText(line.replace(HEADING_LEAD, ''));
  return ONLY_DRAWS.test(text) ? undefined : createHash('sha256').update(text).digest('hex');
}

/** True for text with characters that no reader sees, or that change the order of others. */
export function hidesCharacters(text: string): boolean {
  return text.replaceAll(/[\t\n\r]|^\ufeff/gu, '').search(UNSEEN) >= 0;
}
