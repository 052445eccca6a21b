import { LABEL } from '../../effects/labels.ts';
import { isKnown } from '../../effects/pattern-text.ts';
import { type Text, withLabels } from '../shell/text.ts';

const PRINTABLE = /^[\t\n\r\x20-\x7e\u00a0-\ud7ff]*$/;

/** A text that a program decodes: judged by its decoded content, and labelled as decoded. */
export function decoded(text: Text, decode: (known: string) => string | undefined): Text {
  const plain = isKnown(text.text) ? decode(text.text) : undefined;
  if (plain !== undefined) return { text: plain, labels: text.labels | LABEL.decoded };
  return withLabels({ text: '\uE000', labels: text.labels | LABEL.opaque }, LABEL.decoded);
}

/** @returns undefined if it is not base64 of a text */
export function decodeBase64(text: string): string | undefined {
  const compact = text.replaceAll(/\s/g, '');
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(compact)) return undefined;
  return readable(Buffer.from(compact, 'base64').toString('utf8'));
}

/** Hexadecimal digits, with or without separators and prefixes. */
export function decodeHex(text: string): string | undefined {
  const digits = text.replaceAll(/\\x|0x|[\s:,]/g, '');
  if (digits.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(digits)) return undefined;
  return readable(Buffer.from(digits, 'hex').toString('utf8'));
}

export function decodeBase32(text: string): string | undefined {
  const compact = text.replaceAll(/[\s=]/g, '').toUpperCase();
  if (!/^[A-Z2-7]*$/.test(compact)) return undefined;
  let bits = 0;
  let value = 0;
  const bytes: number[] = [];
  for (const sign of compact) {
    value = (value << 5) | 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(sign);
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((value >> bits) & 255);
      value &= (1 << bits) - 1;
    }
  }
  return readable(Buffer.from(bytes).toString('utf8'));
}

function readable(text: string): string | undefined {
  return PRINTABLE.test(text) ? text : undefined;
}

/** Escapes of `echo -e` and `printf`. */
export function decodeEscapes(text: string): string {
  return text.replaceAll(
    /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|0?([0-7]{1,3})|([abefnrtv\\]))/g,
    (_, hex?: string, unicode?: string, octal?: string, sign?: string) => {
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
      if (unicode !== undefined) return String.fromCharCode(Number.parseInt(unicode, 16));
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
      return sign === undefined ? '' : (SIGNS[sign] ?? sign);
    },
  );
}

const SIGNS: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  e: '\x1b',
  a: '',
  b: '',
  f: ' ',
  v: ' ',
};

export function reverseLines(text: string): string {
  return text
    .split('\n')
    .map((line) => [...line].reverse().join(''))
    .join('\n');
}

/**
 * `tr SET SET`: replaces characters; ranges are expanded, and the last character of the second set
 * is repeated.
 */
export function translate(text: string, from: string, to: string): string {
  const source = [...characterSet(from)];
  const target = [...characterSet(to)];
  const table = new Map(source.map((sign, index) => [sign, target[index] ?? target.at(-1) ?? '']));
  return [...text].map((sign) => table.get(sign) ?? sign).join('');
}

export function removeCharacters(text: string, set: string): string {
  const signs = new Set(characterSet(set));
  return [...text].filter((sign) => !signs.has(sign)).join('');
}

function characterSet(set: string): string {
  const spelled = decodeEscapes(set)
    .replaceAll('[:lower:]', 'a-z')
    .replaceAll('[:upper:]', 'A-Z')
    .replaceAll('[:digit:]', '0-9')
    .replaceAll('[:space:]', ' \t\n\r');
  return spelled.replaceAll(/(.)-(.)/gsu, (whole, first: string, last: string) => {
    const from = first.charCodeAt(0);
    const count = last.charCodeAt(0) - from + 1;
    if (count < 1 || count > 256) return whole;
    return Array.from({ length: count }, (_, index) => String.fromCharCode(from + index)).join('');
  });
}

export function rot13(text: string): string {
  return text.replaceAll(/[a-z]/giu, (letter) => {
    const base = letter <= 'Z' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });
}
