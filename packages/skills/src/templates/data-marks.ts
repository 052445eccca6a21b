import { neutralise, UNTRUSTED_INPUT } from '@bulkhead/protocol';
import { showHidden } from '../shown-text.ts';

/**
 * Puts text from outside as data into a message: between marks, without invisible characters or
 * text that could close or open them. The same text gives the same bytes.
 */
export function dataMarks(text: string): string {
  // Comes first, while hidden characters are not letters: once visible, they would split a mark's
  // name.
  const inert = showHidden(neutralise(text, UNTRUSTED_INPUT)).text;
  return `${UNTRUSTED_INPUT.open}${inert}${UNTRUSTED_INPUT.close}`;
}
