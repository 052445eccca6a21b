import { quoted } from './quoted.ts';

const MAX_DEPTH = 32;
const MAX_VALUES = 20_000;
const POLLUTING: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Finds a problem in the structure of arguments of any tool: keys that reach prototypes, ambiguous
 * keys, and nesting or numbers that other parsers read differently (FT22). Reads own properties
 * only, and never recurses.
 *
 * @returns the rest of a sentence; undefined if there is no problem
 */
export function oddStructure(args: Readonly<Record<string, unknown>>): string | undefined {
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value: args, depth: 0 }];
  let seen = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    seen += 1;
    if (next.depth > MAX_DEPTH) return `is nested more than ${MAX_DEPTH} deep`;
    // Checked before any value is read: a list of a million must not cost more than the limit.
    if (seen + open.length + countOf(next.value) > MAX_VALUES) return `has more than ${MAX_VALUES} values`;
    const odd = oddValue(next.value);
    if (odd !== undefined) return odd;
    for (const value of childrenOf(next.value)) open.push({ value, depth: next.depth + 1 });
  }
  return undefined;
}

function oddValue(value: unknown): string | undefined {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return 'has a number that is none';
    return Number.isInteger(value) && !Number.isSafeInteger(value)
      ? 'has a number that can’t be told from others'
      : undefined;
  }
  if (typeof value !== 'object' || value === null) {
    return typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint'
      ? 'has a value that is no JSON'
      : undefined;
  }
  const polluting = Object.keys(value).find((key) => POLLUTING.has(key));
  if (polluting !== undefined) return `has the key ${quoted(polluting)}`;
  const folded = Object.keys(value).map((key) => key.normalize('NFKC'));
  if (new Set(folded).size !== folded.length) return 'has keys that look the same';
  const prototype: unknown = Object.getPrototypeOf(value);
  const plain = prototype === null || prototype === Object.prototype || Array.isArray(value);
  return plain ? undefined : 'has a value that is no plain object';
}

/** Counts the values of a list without reading them; for an object, counts its names. */
function countOf(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
}

function childrenOf(value: unknown): readonly unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : [];
}

/**
 * Finds the first key that occurs twice in one object of a JSON text: parsers differ in which of
 * the two they take (RFC 8259, 4). One pass; leaves invalid JSON to the parser.
 */
export function doubledKey(json: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  let before = '';
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*(?:"|$)|[{}[\],]/gs)) {
    const keys = open.at(-1);
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    else if (token !== ',' && keys !== undefined && (before === '{' || before === ',')) {
      const key = plainKey(token);
      if (keys.has(key)) return key;
      keys.add(key);
    }
    before = token;
  }
  return undefined;
}

function plainKey(token: string): string {
  return token
    .slice(1, -1)
    .replaceAll(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
