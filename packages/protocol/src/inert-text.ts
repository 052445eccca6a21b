import { visibleText } from './visible-text.ts';

/**
 * Makes untrusted text harmless on a terminal: no byte of it can move the cursor, set the title,
 * reach the clipboard or change the reading direction. New lines and tabs stay; escape, C1 and
 * direction characters become visible as `\x1b` or `\u{202e}`; other control characters are
 * dropped.
 *
 * Every character is judged alone, so text cut anywhere gives the same result as whole text.
 */
export function inertText(text: string): string {
  return text.replaceAll(HARMFUL, (character) => {
    const code = character.charCodeAt(0);
    if (code === ESCAPE) return '\\x1b';
    if (code < FIRST_C1) return '';
    if (code <= LAST_C1) return `\\x${code.toString(16)}`;
    return `\\u{${code.toString(16)}}`;
  });
}

/**
 * The same for text on one line, a title, a snippet, a name: invisible characters are made visible
 * too.
 */
export function inertLine(text: string): string {
  return visibleText(inertText(text.replaceAll(/\s*[\n\r\t]\s*/g, ' ')).replaceAll(/\p{Zs}/gu, ' '), false);
}

const ESCAPE = 0x1b;
const FIRST_C1 = 0x80;
const LAST_C1 = 0x9f;

/**
 * Control characters (C0, delete, C1) without tab and new line; Arabic letter mark, left-to-right and
 * right-to-left marks, line and paragraph separators, embeddings, overrides and isolates (Unicode Standard
 * Annex 9).
 */
const HARMFUL = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
