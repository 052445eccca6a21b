import type { Budget } from '../shell/budget.ts';

/** Bash allows sequences of any length; longer ones than this are over the budget anyway. */
const MAX_SEQUENCE = 1000;
const SEQUENCE = /^(-?\d{1,9}|[A-Za-z])\.\.(-?\d{1,9}|[A-Za-z])(?:\.\.(-?\d{1,9}))?$/;

/**
 * Expands braces of a raw word, before quotes are removed: `a{b,c}` is `ab` and `ac`, `{1..3}`
 * three words.
 *
 * @param raw as written in the command
 * @returns raw words, at least one
 * @throws OverBudget
 */
export function expandBraces(raw: string, budget: Budget): readonly string[] {
  const found = firstBrace(raw);
  if (found === undefined) return [raw];
  const { open, close, choices } = found;
  const before = raw.slice(0, open);
  const words: string[] = [];
  const tails = budget.deeper(() => expandBraces(raw.slice(close + 1), budget));
  for (const choice of choices) {
    for (const middle of budget.deeper(() => expandBraces(choice, budget))) {
      for (const tail of tails) {
        budget.expand(before.length + middle.length + tail.length + 1);
        words.push(before + middle + tail);
      }
    }
  }
  return words;
}

interface Brace {
  readonly open: number;
  readonly close: number;
  readonly choices: readonly string[];
}

/** Returns the first effective pair: with a comma in it, or a sequence. */
function firstBrace(raw: string): Brace | undefined {
  for (let open = 0; open < raw.length; open = next(raw, open)) {
    if (raw[open] !== '{' || raw[open - 1] === '$') continue;
    const commas: number[] = [];
    const close = closing(raw, open, commas);
    if (close === undefined) return undefined;
    const inner = raw.slice(open + 1, close);
    const choices = commas.length > 0 ? split(raw, open, close, commas) : sequence(inner);
    if (choices !== undefined) return { open, close, choices };
  }
  return undefined;
}

function closing(raw: string, open: number, commas: number[]): number | undefined {
  let depth = 0;
  for (let at = open; at < raw.length; at = next(raw, at)) {
    const sign = raw[at];
    if (sign === '{') depth += 1;
    else if (sign === '}') depth -= 1;
    else if (sign === ',' && depth === 1) commas.push(at);
    if (depth === 0) return at;
  }
  return undefined;
}

/** Skips an escaped or quoted part. */
function next(raw: string, at: number): number {
  const sign = raw[at];
  if (sign === '\\') return at + 2;
  if (sign !== "'" && sign !== '"') return at + 1;
  let end = at + 1;
  while (end < raw.length && raw[end] !== sign) end += sign === '"' && raw[end] === '\\' ? 2 : 1;
  return end + 1;
}

function split(raw: string, open: number, close: number, commas: readonly number[]): readonly string[] {
  const edges = [open, ...commas, close];
  return edges.slice(1).map((edge, index) => raw.slice((edges[index] ?? open) + 1, edge));
}

function sequence(inner: string): readonly string[] | undefined {
  const match = SEQUENCE.exec(inner);
  if (match === null) return undefined;
  const [, first = '', last = '', step = '1'] = match;
  const letters = Number.isNaN(Number(first));
  if (letters !== Number.isNaN(Number(last))) return undefined;
  const from = letters ? first.charCodeAt(0) : Number(first);
  const to = letters ? last.charCodeAt(0) : Number(last);
  const stride = Math.max(1, Math.abs(Number(step)));
  const count = Math.floor(Math.abs(to - from) / stride) + 1;
  const width = /^-?0\d|^-?0/.test(first + last) && !letters ? Math.max(first.length, last.length) : 0;
  return Array.from({ length: Math.min(count, MAX_SEQUENCE) }, (_, index) => {
    const value = from + Math.sign(to - from) * stride * index;
    return letters
      ? String.fromCharCode(value)
      : String(value).padStart(hasPadding(first, last) ? width : 0, '0');
  });
}

function hasPadding(first: string, last: string): boolean {
  return /^0\d/.test(first) || /^0\d/.test(last);
}
