import { isUtf8 } from 'node:buffer';

/** The text of some bytes. */
export interface DecodedText {
  readonly text: string;
  /** True if some bytes were not UTF-8; each such place is a U+FFFD in the text. */
  readonly replaced: boolean;
}

/**
 * Decodes UTF-8, without a byte order mark. Replaces invalid bytes and NUL: texts go to a database
 * and to prompts.
 * @param cut true if a cap cut the bytes: an incomplete last character is removed
 */
export function decodeText(bytes: Uint8Array, cut: boolean): DecodedText {
  const whole = bytes.subarray(0, bytes.length - (cut ? brokenEnd(bytes) : 0));
  const text = new TextDecoder().decode(whole);
  return { text: text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text, replaced: !isUtf8(whole) };
}

/** @returns the number of bytes at the end that are an incomplete character */
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
