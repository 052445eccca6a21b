import { rot13 } from '../analysis/command/decode/decode-text.ts';
import { fold } from './words.ts';

/** Most characters decoded for one text, including nested decodings. */
const MAX_DECODED = 400_000;

/** Most nested encodings: base64 of base64 is found, a third layer is not. */
const MAX_LAYERS = 2;

/** The decoded readings of one text. */
export interface Readings {
  /** Folded to letters and digits. */
  readonly texts: readonly string[];
  /**
   * False if the text exceeds the budget: then part of it was not read, and it counts as if it held
   * any secret.
   */
  readonly complete: boolean;
}

/**
 * Returns the readings of a text in which a secret may hide: as written, backwards, and decoded
 * from percent, base64, base64url, base32, hex, character codes, entities, escapes and rot13, two
 * layers deep. Each is folded to letters and digits, so case, separators and line breaks hide
 * nothing. Compression, encryption and a model's own cipher are not detected: the session rule asks
 * about this residual.
 */
export function readingsOf(text: string): Readings {
  let left = MAX_DECODED;
  let complete = true;
  let layer: readonly string[] = [text];
  const texts = new Set<string>();
  for (let depth = 0; depth <= MAX_LAYERS; depth += 1) {
    const next: string[] = [];
    for (const each of layer) {
      left -= each.length;
      if (left < 0) {
        complete = false;
        break;
      }
      const core = coreOf(each);
      texts.add(core);
      texts.add([...core].reverse().join(''));
      if (depth < MAX_LAYERS) next.push(...decodedOf(each));
    }
    layer = next;
  }
  return { texts: [...texts], complete };
}

/** Letters and digits only, folded. */
export function coreOf(text: string): string {
  return fold(text).replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

function decodedOf(text: string): readonly string[] {
  const dense = text.replaceAll(/[\s\\]+/gu, '');
  return [
    percent(text),
    entities(text),
    escapes(text),
    rot13(text),
    joined(text.matchAll(/[A-Za-z0-9+/_-]{8,}={0,2}/gu), base64),
    joined(dense.matchAll(/[A-Za-z0-9+/_-]{8,}={0,2}/gu), base64),
    joined(text.matchAll(/[A-Z2-7]{8,}=*/giu), base32),
    hex(text.replaceAll(/0x|\\x|[\s:,%-]+/giu, '')),
    codes(text),
  ].filter((decoded) => decoded.trim() !== '' && decoded !== text);
}

function joined(matches: Iterable<RegExpMatchArray>, decode: (run: string) => string): string {
  const out: string[] = [];
  for (const [run] of matches) out.push(decode(run));
  return out.join(' ');
}

function percent(text: string): string {
  return text.replaceAll(/(?:%[0-9a-f]{2})+/giu, (run) =>
    Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'),
  );
}

function entities(text: string): string {
  return text.replaceAll(
    /&#(?:x([0-9a-f]{1,6})|(\d{1,7}));?/giu,
    (_, hexadecimal?: string, decimal?: string) =>
      character(hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16)),
  );
}

function escapes(text: string): string {
  return text.replaceAll(
    /\\(?:u\{?([0-9a-f]{4,6})\}?|x([0-9a-f]{2}))/giu,
    (_, unit?: string, byte?: string) => character(Number.parseInt(unit ?? byte ?? '0', 16)),
  );
}

/** Decodes a run from each of its four possible alignments. */
function base64(run: string): string {
  const plain = run.replaceAll('-', '+').replaceAll('_', '/');
  return [0, 1, 2, 3].map((from) => plainOf(Buffer.from(plain.slice(from), 'base64'))).join(' ');
}

/**
 * Returns plain text in some bytes, in runs at least as long as the shortest needle; noise has
 * hardly any.
 */
function plainOf(bytes: Buffer): string {
  return (bytes.toString('latin1').match(/[\t\n\r\x20-\x7e]{6,}/g) ?? []).join(' ');
}

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

function base32(run: string): string {
  const bytes: number[] = [];
  let bits = 0;
  let value = 0;
  for (const letter of run.toLowerCase().replaceAll('=', '')) {
    value = ((value << 5) | BASE32.indexOf(letter)) & 0xffff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((value >> bits) & 0xff);
  }
  return plainOf(Buffer.from(bytes));
}

function hex(text: string): string {
  return joined(text.matchAll(/[0-9a-f]{12,}/giu), (run) =>
    [0, 1].map((from) => plainOf(Buffer.from(run.slice(from), 'hex'))).join(' '),
  );
}

/** `83 101 99 114 …`: characters by their numbers. */
function codes(text: string): string {
  const numbers = text.match(/(?<!\d)\d{2,3}(?!\d)/gu) ?? [];
  return numbers.length < 6 ? '' : numbers.map((number) => character(Number(number))).join('');
}

function character(code: number): string {
  return code >= 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
}
