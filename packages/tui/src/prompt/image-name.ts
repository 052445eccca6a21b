/**
 * The text a terminal pastes for a dropped file: a path, in quotes or with escaped spaces, or a
 * `file://` address.
 */
const IMAGE_PATH = /^(?:\/|~\/|\.{1,2}\/)[^\n]*\.(?:png|jpe?g|gif|webp)$/i;

/**
 * Converts a pasted image path to its form in a message; undefined for any other text.
 *
 * @param pasted inert
 */
export function imageName(pasted: string): string | undefined {
  const path = plainPath(pasted.trim());
  if (!IMAGE_PATH.test(path)) return undefined;
  return /\s/.test(path) ? `@"${path}" ` : `@${path} `;
}

function plainPath(text: string): string {
  const quoted = /^(['"])(.*)\1$/.exec(text)?.[2];
  if (quoted !== undefined) return quoted;
  if (!text.startsWith('file:///')) return text.replaceAll(/\\([ ()&'"[\]])/g, '$1');
  try {
    return decodeURIComponent(text.slice('file://'.length));
  } catch {
    return text;
  }
}
