import { Buffer, isUtf8 } from 'node:buffer';

const MAX_LAYERS = 3;
const ESCAPES =
  /%([0-9a-f]{2})|%u([0-9a-f]{4})|\\x([0-9a-f]{2})|\\u([0-9a-f]{4})|\\u\{([0-9a-f]{1,6})\}|&#x([0-9a-f]{1,6});?|&#(\d{1,7});?|\\([0-3][0-7]{2})|&(sol|bsol|period|lt|gt|amp|quot|colon|tilde);/gi;
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['sol', '/'],
  ['bsol', '\\'],
  ['period', '.'],
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['colon', ':'],
  ['tilde', '~'],
]);

/**
 * Resolves the escapes of URLs, HTML, JavaScript, C and octal in a text, up to `MAX_LAYERS` layers.
 * Returns the text unchanged if there are none.
 */
export function unescapeText(text: string): string {
  let current = text;
  for (let layer = 0; layer < MAX_LAYERS; layer += 1) {
    if (!/[%\\&]/.test(current)) return current;
    const next = current.replaceAll(ESCAPES, (whole, ...groups: unknown[]) => plainOf(whole, groups));
    if (next === current) return current;
    current = next;
  }
  return current;
}

function plainOf(whole: string, groups: readonly unknown[]): string {
  const [percent, percentU, x, u, uBraces, entityHex, entity, octal, name] = groups;
  if (typeof name === 'string') return ENTITIES.get(name.toLowerCase()) ?? whole;
  const hex = [percent, percentU, x, u, uBraces, entityHex].find((each) => typeof each === 'string');
  const code = codeOf(hex, entity, octal);
  return code === undefined || code > 0x10ffff ? whole : String.fromCodePoint(code);
}

function codeOf(hex: unknown, decimal: unknown, octal: unknown): number | undefined {
  if (typeof hex === 'string') return Number.parseInt(hex, 16);
  if (typeof decimal === 'string') return Number.parseInt(decimal, 10);
  return typeof octal === 'string' ? Number.parseInt(octal, 8) : undefined;
}

/** An encoded part of a text, and its decoded text. */
export interface Decoded {
  readonly encoding: 'base64' | 'hex';
  readonly encoded: string;
  readonly text: string;
}

const RUN = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{20,}={0,2}/g;
const HEX = /^(?:[0-9a-f]{2}){10,}$/i;
const MAX_RUNS = 32;
const MAX_RUN = 8_192;
/** Least share of ASCII. */
const MOSTLY = 0.7;

/** Returns runs of base64 or hex that decode to readable text, unlike hashes, ids and pictures. */
export function decodedRuns(text: string): readonly Decoded[] {
  const runs: Decoded[] = [];
  for (const [run] of text.matchAll(RUN)) {
    if (runs.length >= MAX_RUNS) return runs;
    runs.push(...decodedRun(run.slice(0, MAX_RUN)));
  }
  return runs;
}

/** Decodes a run as a whole, or each part between signs that paths and identifiers also use. */
function decodedRun(run: string): readonly Decoded[] {
  const parts = run.split(/[/_-]/).filter((part) => part.length >= 20);
  const whole = decodedAs('base64', run);
  const found =
    whole === undefined ? parts.map((part) => decodedAs(HEX.test(part) ? 'hex' : 'base64', part)) : [whole];
  return found.filter((each) => each !== undefined);
}

function decodedAs(encoding: Decoded['encoding'], encoded: string): Decoded | undefined {
  const plain = encoding === 'hex' ? encoded : encoded.replaceAll('-', '+').replaceAll('_', '/');
  const text = readable(Buffer.from(plain, encoding));
  return text === undefined ? undefined : { encoding, encoded, text };
}

/** Returns mostly plain text as UTF-8; other bytes are hashes, keys and pictures. */
function readable(bytes: Buffer): string | undefined {
  if (bytes.length < 10) return undefined;
  let plain = 0;
  for (const byte of bytes) {
    if (byte >= 0x80) continue;
    if (byte === 0x7f || (byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 13)) return undefined;
    plain += 1;
  }
  return plain >= bytes.length * MOSTLY && isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}
