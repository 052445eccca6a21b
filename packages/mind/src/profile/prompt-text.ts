import { hiddenShown } from '@bulkhead/agent';
import { plainMarkdown } from './plain-markdown.ts';

/** A text as the prompt shows it. */
export interface PromptText {
  readonly text: string;
  /** Its problems for a person, one line each, beginning with the file's name. */
  readonly notices: readonly string[];
}

/**
 * Makes a file's bytes a text of the prompt: cut where it is too long, plain, and with nothing hidden in it (FT58).
 *
 * @param bytes of the file, from its start
 * @param options.size of the whole file, bytes
 * @param options.most bytes that may be shown; not negative
 */
export function promptText(
  name: string,
  bytes: Buffer,
  options: { readonly size: number; readonly most: number; readonly plain: boolean },
): PromptText {
  const { size, most, plain } = options;
  const read = bytes.subarray(0, Math.min(most, size)).toString('utf8');
  const over = size - Math.min(most, size);
  const whole = over > 0 ? read.replace(/\uFFFD+$/, '') : read;
  const { text: shown, found } = hiddenShown(whole);
  const text = (plain ? plainMarkdown(shown) : shown).trim();
  const hidden = found.reduce((sum, { count }) => sum + count, 0);
  return {
    text: over > 0 ? `${text}\n[cut: ${over} bytes of ${name} are not shown]` : text,
    notices: [
      ...(over > 0 ? [`${name} is cut: ${over} bytes do not fit into the prompt`] : []),
      ...(whole.includes('\uFFFD') ? [`${name} is not valid UTF-8: invalid bytes were replaced`] : []),
      ...(hidden > 0
        ? [
            `${name} has ${hidden} hidden characters, the first in line ${found[0]?.line}: they are shown as such`,
          ]
        : []),
    ],
  };
}
