import { TextDecoder } from 'node:util';

/**
 * File names are bytes; models and people get text. The mapping is one to one, so that every name that
 * was listed can be named again, and a name is only escaped where it has to be: an argument can't spell
 * `.git` as `\x2egit` to pass a check by name.
 */

/** Controls, formats, fillers, spaces but the one, private use and unassigned: what no terminal shows as itself. */
const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800\uFFFD]|(?! )\p{Zs}/u;

const ESCAPE = /\\x([0-9a-f]{2})/g;
const ESCAPE_AHEAD = /^\\x[0-9a-f]{2}/;

/** Text for one name: hidden characters and bytes that are no UTF-8 become `\xNN`. */
export function shownName(name: Uint8Array): string {
  let shown = '';
  for (const piece of decodePieces(name)) {
    shown += typeof piece === 'string' ? showText(piece) : hexEscape(Uint8Array.of(piece));
  }
  return shown;
}

/** The bytes of a name as an argument gives it; escapes count only where `shownName` would write them. */
export function nameFromShown(shown: string): Buffer {
  const literal = Buffer.from(shown);
  if (!shown.includes('\\x')) return literal;
  const decoded = Buffer.concat(
    shown
      .split(ESCAPE)
      .map((part, index) => (index % 2 === 0 ? Buffer.from(part) : Buffer.from(part, 'hex'))),
  );
  return shownName(decoded) === shown ? decoded : literal;
}

function showText(text: string): string {
  let shown = '';
  for (let index = 0; index < text.length; ) {
    const character = String.fromCodePoint(text.codePointAt(index) ?? 0);
    const looksEscaped = character === '\\' && ESCAPE_AHEAD.test(text.slice(index, index + 4));
    shown += looksEscaped || HIDDEN.test(character) ? hexEscape(Buffer.from(character)) : character;
    index += character.length;
  }
  return shown;
}

function hexEscape(bytes: Uint8Array): string {
  return [...bytes].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
}

/** Runs of valid UTF-8 as text, and each byte that belongs to none as a number. */
function* decodePieces(bytes: Uint8Array): Generator<string | number> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let rest = bytes;
  while (rest.length > 0) {
    const valid = validPrefix(rest, decoder);
    if (valid > 0) yield decoder.decode(rest.subarray(0, valid));
    const byte = rest[valid];
    if (byte !== undefined) yield byte;
    rest = rest.subarray(valid + 1);
  }
}

function validPrefix(bytes: Uint8Array, decoder: TextDecoder): number {
  let index = 0;
  while (index < bytes.length) {
    const length = sequenceLength(bytes[index] ?? 0);
    if (length === 0 || index + length > bytes.length) return index;
    if (length > 1 && !decodes(bytes.subarray(index, index + length), decoder)) return index;
    index += length;
  }
  return index;
}

function sequenceLength(lead: number): number {
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead < 0xe0) return 2;
  if (lead >= 0xe0 && lead < 0xf0) return 3;
  return lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
}

function decodes(bytes: Uint8Array, decoder: TextDecoder): boolean {
  try {
    decoder.decode(bytes);
    return true;
  } catch {
    return false;
  }
}
