import { nameFromShown, shownName } from './shown-name.ts';

/**
 * Paths as text and back, one to one: each name as `shownName` writes it, with `/` between them.
 * Stored JSON stays readable, and no byte of a name is lost.
 */
export function pathText(path: Uint8Array): string {
  // latin1 keeps each byte as one character, so that text functions can split bytes.
  const parts = Buffer.from(path).toString('latin1').split('/');
  return parts.map((part) => shownName(Buffer.from(part, 'latin1'))).join('/');
}

/** The bytes of a path that `pathText` wrote. */
export function pathFromText(text: string): Buffer {
  const parts = text.split('/').map((part, index) => {
    const name = nameFromShown(part);
    return index === 0 ? name : Buffer.concat([Buffer.from('/'), name]);
  });
  return Buffer.concat(parts);
}
