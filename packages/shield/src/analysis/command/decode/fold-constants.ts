import { decodeBase64, decodeEscapes, decodeHex, reverseLines, rot13 } from './decode-text.ts';

/** Code with its computed texts in place. */
export interface FoldedCode {
  readonly text: string;
  /**
   * True if a text came from an encoding, a reversal or numbers, not only from joined plain pieces.
   */
  readonly hidden: boolean;
}

const TEXT = `(?:[bBrRuU]{0,2}(?:"[^"\\\\]{0,4096}"|'[^'\\\\]{0,4096}'))`;
const AFTERWARDS = `(?:\\.(?:decode|toString|to_s)\\(?[^)]{0,24}\\)?)?`;

type Decode = (text: string) => string | undefined;

/** Calls that decode a constant, by the decoding. The first group is the constant. */
const DECODERS: readonly (readonly [call: RegExp, decode: Decode])[] = [
  [calls('(?:bytes(?:array)?\\.)?fromhex|(?:binascii\\.)?(?:unhexlify|a2b_hex)|hex2bin'), decodeHex],
  [
    calls(
      '(?:base64\\.)?(?:urlsafe_|standard_)?b64decode|(?:binascii\\.)?a2b_base64|atob|base64_decode|decode_base64|(?:Base64\\.)?(?:strict_|urlsafe_)?decode64|(?:base64\\.)?decodebytes',
    ),
    decodeBase64,
  ],
  [folding(`pack\\s*\\(?\\s*["']H\\*["']\\s*,\\s*(${TEXT})\\s*\\)?`), decodeHex],
  [folding(`\\[\\s*(${TEXT})\\s*\\]\\.pack\\(?\\s*["']H\\*["']\\s*\\)?`), decodeHex],
  [folding(`(${TEXT})\\.unpack1?\\(?\\s*["']m0?["']\\s*\\)?`), decodeBase64],
  [folding(`Buffer\\.from\\(\\s*(${TEXT})\\s*,\\s*["']hex["']\\s*\\)${AFTERWARDS}`), decodeHex],
  [folding(`Buffer\\.from\\(\\s*(${TEXT})\\s*,\\s*["']base64(?:url)?["']\\s*\\)${AFTERWARDS}`), decodeBase64],
  [folding(`codecs\\.decode\\(\\s*(${TEXT})\\s*,\\s*["']hex[^"']{0,8}["']\\s*\\)${AFTERWARDS}`), decodeHex],
  [folding(`codecs\\.decode\\(\\s*(${TEXT})\\s*,\\s*["']rot_?13["']\\s*\\)`), rot13],
  [calls('str_rot13'), rot13],
  [calls('strrev'), reverseLines],
  [
    folding(
      `(${TEXT})(?:\\[::-1\\]|\\.reverse\\b|\\.split\\((?:""|'')\\)\\.reverse\\(\\)\\.join\\((?:""|'')\\))`,
    ),
    reverseLines,
  ],
  [folding(`\\breverse\\s*\\(?\\s*(${TEXT})\\s*\\)?`), reverseLines],
];

/** One call, or a single number. */
const CHARACTER =
  /\b(?:chr|String\.from(?:CharCode|CodePoint)|Character\.toString)\s*\(?\s*((?:0x[0-9a-f]{1,4}|\d{1,5})(?:\s*,\s*(?:0x[0-9a-f]{1,4}|\d{1,5})){0,400})\s*\)?/giu;
/** Consecutive numbers, as many as a word has letters. */
const NUMBERS =
  /[[({](\s*(?:0x[0-9a-f]{2}|\d{2,3})(?:\s*,\s*(?:0x[0-9a-f]{2}|\d{2,3})){3,400}\s*),?\s*[\])}]/giu;
const SPELLS = /\b(?:chr|fromCharCode|fromCodePoint|bytes|bytearray|pack|Buffer\.from|char)\b/u;
/** Joined plain pieces. */
const JOINED: readonly RegExp[] = [
  folding(`(?:""|'')\\.join\\(\\s*[[(]((?:\\s*${TEXT}\\s*,?){1,64})[\\])]\\s*\\)`),
  folding(`\\[((?:\\s*${TEXT}\\s*,?){1,64})\\]\\.join\\(\\s*(?:""|'')?\\s*\\)`),
  folding(`\\bjoin\\s*\\(\\s*(?:""|'')\\s*,((?:\\s*${TEXT}\\s*,?){1,64})\\)`),
  folding(`((?:${TEXT})(?:\\s{0,4}(?:[+.]|\\.\\.|<>)\\s{0,4}${TEXT}){1,64})`),
];
/** Shorter texts hide nothing: a line break, a quotation mark. */
const LEAST_HIDDEN = 4;
const ROUNDS = 3;

/**
 * Computes constant expressions: texts that are decoded, spelled by character codes, reversed or
 * joined, in the syntax of Python, Perl, Ruby, PHP and JavaScript. Puts each result in place as a
 * text.
 *
 * @param code bounded by the caller: time is linear in it
 */
export function foldConstants(code: string): FoldedCode {
  let text = code;
  let hidden = 0;
  const put = (plain: string | undefined, whole: string): string => {
    if (plain === undefined) return whole;
    hidden += plain.length;
    return JSON.stringify(plain);
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = text;
    for (const pattern of JOINED)
      text = text.replaceAll(pattern, (_, pieces: string) => JSON.stringify(textsOf(pieces)));
    text = text.replaceAll(CHARACTER, (whole, codes: string) => put(spelled(codes), whole));
    if (SPELLS.test(text))
      text = text.replaceAll(NUMBERS, (whole, codes: string) => put(spelled(codes), whole));
    for (const [pattern, decode] of DECODERS)
      text = text.replaceAll(pattern, (whole, constant: string) => put(decode(textsOf(constant)), whole));
    if (text === before) break;
  }
  return { text, hidden: hidden >= LEAST_HIDDEN };
}

function folding(pattern: string): RegExp {
  return new RegExp(pattern, 'gu');
}

function calls(names: string): RegExp {
  return folding(`\\b(?:${names})\\s*\\(\\s*(${TEXT})\\s*\\)${AFTERWARDS}`);
}

/** Returns the joined texts of some literals. */
function textsOf(literals: string): string {
  let text = '';
  for (const [, double, single] of literals.matchAll(/"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'/gsu))
    text += decodeEscapes(double ?? single ?? '');
  return text;
}

function spelled(codes: string): string | undefined {
  const numbers = codes.split(',').map((code) => Number(code.trim()));
  if (numbers.some((code) => !Number.isInteger(code) || code > 0x10ffff)) return undefined;
  const text = String.fromCodePoint(...numbers);
  return /^[\t\n\r\x20-\x7e\u00a0-\ud7ff]*$/.test(text) ? text : undefined;
}
