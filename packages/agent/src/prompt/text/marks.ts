import { type Mark, neutralise, UNTRUSTED_INPUT } from '@bulkhead/protocol';

/** Content that a person saw and trusted: obeyed, but only up to its end. */
export const FOLDER_INSTRUCTIONS: Mark = {
  open: '<folder_instructions>',
  close: '</folder_instructions>',
  sign: '<',
  letters: 'folderinstructions',
};

/** Text from memory [C3]. */
export const MEMORY: Mark = { open: '[MEMORY]', close: '[/MEMORY]', sign: '[', letters: 'memory' };

/**
 * Puts a text between marks. The text can neither close them nor look like other data. The same
 * text gives the same bytes, otherwise the provider's prefix cache is lost.
 */
export function marked(text: string, mark: Mark): string {
  return `${mark.open}\n${inert(text, [UNTRUSTED_INPUT, mark])}\n${mark.close}`;
}

/**
 * A text without anything that reads as one of these marks. Other text is kept byte for byte,
 * because a model may quote it.
 */
export function inert(text: string, marks: readonly Mark[]): string {
  return [...new Set(marks)].reduce(neutralise, text);
}
