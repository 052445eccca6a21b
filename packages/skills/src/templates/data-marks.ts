import { neutralise, UNTRUSTED_INPUT } from '@bulkhead/protocol';
import { showHidden } from '../shown-text.ts';

/**
 * Text from outside as data in a message: between marks, with nothing in it that could close or open them and nothing invisible. The
 * same text gives the same bytes.
 */
export function dataMarks(text: string): string {
  // First, as long as what is hidden is no letters: shown, it would stand between those of a mark.
  const inert = showHidden(neutralise(text, UNTRUSTED_INPUT)).text;
  return `${UNTRUSTED_INPUT.open}${inert}${UNTRUSTED_INPUT.close}`;
}
