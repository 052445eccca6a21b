const META_CHARSET = /<meta[^>]{0,200}charset\s{0,9}=\s{0,9}["']?([\w:.-]{1,40})/i;
const HEADER_CHARSET = /charset\s{0,9}=\s{0,9}"?([\w:.-]{1,40})/i;
/** A document's own charset declaration must stand within this many bytes. */
const META_BYTES = 1_024;

/**
 * Decodes bytes: by their byte order mark, else the header, else the document, else UTF-8; bytes
 * that are not UTF-8 use the one-byte set of the old web.
 *
 * @param contentType the header as received; empty if missing
 */
export function decodeText(bytes: Uint8Array, contentType: string): string {
  const named = HEADER_CHARSET.exec(contentType)?.[1] ?? META_CHARSET.exec(latin1(bytes))?.[1];
  for (const label of [markOf(bytes), named]) {
    const text = label === undefined ? undefined : decode(bytes, label, false);
    if (text !== undefined) return text;
  }
  return decode(bytes, 'utf-8', true) ?? decode(bytes, 'windows-1252', false) ?? '';
}

/**
 * True if the bytes are not text: a NUL among the first ones, unless their mark announces wide
 * characters.
 */
export function isBinary(bytes: Uint8Array): boolean {
  return markOf(bytes) === undefined && bytes.subarray(0, META_BYTES).includes(0);
}

function markOf(bytes: Uint8Array): string | undefined {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xff && second === 0xfe ? 'utf-16le' : undefined;
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, META_BYTES)).toString('latin1');
}

/** @param strict true: undefined for bytes outside that set */
function decode(bytes: Uint8Array, label: string, strict: boolean): string | undefined {
  try {
    return new TextDecoder(label, { fatal: strict }).decode(bytes);
  } catch {
    // An unknown set, or bytes outside it.
    return undefined;
  }
}
