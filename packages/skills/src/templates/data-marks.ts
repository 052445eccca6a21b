import { showHidden } from '../shown-text.ts';

/** What could begin a closing mark: every spelling of `<` that a reader takes for one, before a slash. */
const CLOSER = /[<\uff1c\ufe64\u2039\u3008\u27e8](?=\s*[/\uff0f\u2044\u2215\u29f8])/g;

/**
 * Text from outside as data in a message: between marks, with nothing in it that could close them and nothing invisible. The
 * same text gives the same bytes.
 */
export function dataMarks(text: string): string {
  const shown = showHidden(text).text.replaceAll(CLOSER, '&lt;');
  return `<untrusted_input>${shown}</untrusted_input>`;
}
