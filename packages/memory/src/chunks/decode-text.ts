import { isUtf8 } from 'node:buffer';

/** What a text's bytes say. */
export interface DecodedText {
  readonly text: string;
  /** True if some bytes were no UTF-8; each such place is a U+FFFD in the text. */
  readonly replaced: boolean;
}

/**
 * Decodes UTF-8, without a byte order mark. What is none is replaced, NUL too: texts end up in a database and in prompts.
 * @param cut true if a cap cut the bytes: a character they end within is left out
 */
export function decodeText(bytes: Uint8Array, cut: boolean): DecodedText {
  const whole = bytes.subarray(0, bytes.length - (cut ? brokenEnd(bytes) : 0));
  const text = new TextDecoder().decode(whole);
  return { text: text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text, replaced: !isUtf8(whole) };
}

/** @returns how many bytes at the end are the beginning of a character whose rest is missing */
function brokenEnd(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    return sizeOf(byte) > back ? back : 0;
  }
  return 0;
}

/** @returns bytes of the character that begins with this one */
function sizeOf(byte: number): number {
  if (byte >= 0xf0) return 4;
  if (byte >= 0xe0) return 3;
  return byte >= 0xc0 ? 2 : 1;
}
