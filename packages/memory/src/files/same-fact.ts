import { plainText } from './line-text.ts';

/**
 * Words that don't change a sentence's meaning. Never one that negates it (`not`, `no`, `never`).
 */
const FILLERS = new Set(
  'a an the is are was were be been am has have had do does did will would of to in on at for and that this it its as by with also very just really please s'.split(
    ' ',
  ),
);

/** Least share of equal neighbour pairs in two sentences with the same words. */
const SAME_ORDER = 0.4;

/**
 * True if `said` adds no fact to `known`, judged by words: the same words in nearly the same order,
 * or a part of them. In doubt false: a duplicate costs a line, but a missed fact is lost.
 */
export function isSameFact(said: string, known: string): boolean {
  const [a, b] = [plainText(said), plainText(known)];
  if (a === b) return true;
  return saysSame(tellingWords(a), tellingWords(b));
}

/**
 * As `isSameFact` for many lines; parses `said` once. @returns the first known line with the fact
 */
export function findSameFact(said: string, known: Iterable<string>): string | undefined {
  const plain = plainText(said);
  const words = tellingWords(plain);
  const [first] = words.toSorted((x, y) => y.length - x.length);
  for (const line of known) {
    const other = plainText(line);
    if (plain !== '' && plain === other) return line;
    // Most lines are unrelated.
    if (first !== undefined && other.includes(first) && saysSame(words, tellingWords(other))) return line;
  }
  return undefined;
}

function saysSame(said: readonly string[], known: readonly string[]): boolean {
  if (said.length < 2 || said.length > known.length) return false;
  if (said.length < known.length) return said.length >= 3 && isPieceOf(said, known);
  const sorted = (words: readonly string[]) => words.toSorted().join(' ');
  if (sorted(said) !== sorted(known)) return false;
  const [a, b] = [pairs(said), pairs(known)];
  const shared = [...a].filter((pair) => b.has(pair)).length;
  return shared >= SAME_ORDER * (a.size + b.size - shared);
}

/** False if the longer sentence's extra words at either end may negate it. */
function isPieceOf(piece: readonly string[], whole: readonly string[]): boolean {
  if (whole.some((word) => TURNS.test(word)) !== piece.some((word) => TURNS.test(word))) return false;
  return ` ${whole.join(' ')} `.includes(` ${piece.join(' ')} `);
}

const TURNS =
  /^(?:not|no|never|none|nor|neither|without|unless|except|but|if|until|longer|stopped|former|formerly|was|used|n't|\w+n't)$/u;

function pairs(words: readonly string[]): Set<string> {
  return new Set(words.slice(1).map((word, at) => `${words[at]} ${word}`));
}

/** Words with content, singular and plural alike; numbers with their signs and points. */
function tellingWords(plain: string): string[] {
  const words = plain.match(/[+-]?\d[\d.,:/-]*\d|\d+|[\p{L}\p{M}]+(?:n't)?/gu) ?? [];
  return words.filter((word) => !FILLERS.has(word)).map((word) => word.replace(/(?<=\p{L}{3})s$/u, ''));
}
