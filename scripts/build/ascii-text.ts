/** Such a template gives its text as it was written: there an escape would be something else. */
const RAW_TEMPLATE = /\braw`[^`]*[^\p{ASCII}`]/u;

/** One sign, and the backslashes before it. */
const FOREIGN = /(\\*)([^\p{ASCII}])/gu;

/**
 * Writes what lies outside ASCII as escapes. The bundler leaves it in regular expressions and comments, and one such sign makes
 * V8 keep a whole file with two bytes for each.
 *
 * @param text of a bundle
 * @returns the same program; the text as it is where a raw template holds such a sign
 */
export function asciiText(text: string): string {
  if (RAW_TEMPLATE.test(text)) return text;
  return text.replaceAll(FOREIGN, (_, before: string, sign: string) => {
    // The last of an odd number stood before the sign to say that it means itself.
    const kept = before.length % 2 === 0 ? before : before.slice(1);
    return kept + sign.replaceAll(/./gs, escapeOf);
  });
}

/** Of half a pair, too: both halves are read as the pair where it was one. */
function escapeOf(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
