import { type Mark, neutralise, UNTRUSTED_INPUT } from '@bulkhead/protocol';

/** What a person trusted after they saw it: obeyed, but it ends where it ends. */
export const FOLDER_INSTRUCTIONS: Mark = {
  open: '<folder_instructions>',
  close: '</folder_instructions>',
  sign: '<',
  letters: 'folderinstructions',
};

/** What is remembered [C3]. */
export const MEMORY: Mark = { open: '[MEMORY]', close: '[/MEMORY]', sign: '[', letters: 'memory' };

/**
 * Puts a text between marks. It can neither close them nor look like data where it isn't. The same text gives the same
 * bytes, or the provider's prefix cache is lost.
 */
export function marked(text: string, mark: Mark): string {
  return `${mark.open}\n${inert(text, [UNTRUSTED_INPUT, mark])}\n${mark.close}`;
}

/** A text in which nothing reads as one of these marks. What is no such mark stays byte for byte: a model may quote it. */
export function inert(text: string, marks: readonly Mark[]): string {
  return [...new Set(marks)].reduce(neutralise, text);
}
