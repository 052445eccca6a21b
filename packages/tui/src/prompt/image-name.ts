/** What a terminal pastes for a file that is dropped on it: a path, in quotes or with its spaces escaped, or a `file://` address. */
const IMAGE_PATH = /^(?:\/|~\/|\.{1,2}\/)[^\n]*\.(?:png|jpe?g|gif|webp)$/i;

/**
 * The way a message names an image whose path was pasted, and nothing else; undefined for any other text.
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
