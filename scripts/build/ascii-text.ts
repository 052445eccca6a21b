/** Such a template returns its source text: an escape there would change it. */
const RAW_TEMPLATE = /\braw`[^`]*[^\p{ASCII}`]/u;

/** One sign, and the backslashes before it. */
const FOREIGN = /(\\*)([^\p{ASCII}])/gu;

/**
 * Escapes characters outside ASCII. The bundler leaves them in regular expressions and comments,
 * and one such character makes V8 store a whole file with two bytes per character.
 *
 * @param text of a bundle
 * @returns the same program; the unchanged text if a raw template contains such a character
 */
export function asciiText(text: string): string {
  if (RAW_TEMPLATE.test(text)) return text;
  return text.replaceAll(FOREIGN, (_, before: string, sign: string) => {
    // The last of an odd number of backslashes escaped the sign itself.
    const kept = before.length % 2 === 0 ? before : before.slice(1);
    return kept + sign.replaceAll(/./gs, escapeOf);
  });
}

/** Also for half a pair: two escaped halves are read as the pair. */
function escapeOf(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
