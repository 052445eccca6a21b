import { plainText } from './line-text.ts';

/** Words that a sentence can do without and say the same. Never one that turns it round (`not`, `no`, `never`). */
const FILLERS = new Set(
  'a an the is are was were be been am has have had do does did will would of to in on at for and that this it its as by with also very just really please s'.split(
    ' ',
  ),
);

/** Of the pairs of neighbours in two sentences of the same words, this share must be the same. */
const SAME_ORDER = 0.4;

/**
 * True if `said` says nothing that `known` doesn't, as far as words tell: the same words in much the same order, or a piece
 * of it. Errs towards no: a fact too many is a line, a fact too few is lost.
 */
export function isSameFact(said: string, known: string): boolean {
  const [a, b] = [plainText(said), plainText(known)];
  if (a === b) return true;
  return saysSame(tellingWords(a), tellingWords(b));
}

/** As `isSameFact` against many, with the words of `said` read once. @returns the first known line that says it */
export function findSameFact(said: string, known: Iterable<string>): string | undefined {
  const plain = plainText(said);
  const words = tellingWords(plain);
  const [first] = words.toSorted((x, y) => y.length - x.length);
  for (const line of known) {
    const other = plainText(line);
    if (plain !== '' && plain === other) return line;
    // Most lines have nothing to do with it.
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

/** What the longer one adds at its ends may turn it round: then it is no piece. */
function isPieceOf(piece: readonly string[], whole: readonly string[]): boolean {
  if (whole.some((word) => TURNS.test(word)) !== piece.some((word) => TURNS.test(word))) return false;
  return ` ${whole.join(' ')} `.includes(` ${piece.join(' ')} `);
}

const TURNS =
  /^(?:not|no|never|none|nor|neither|without|unless|except|but|if|until|longer|stopped|former|formerly|was|used|n't|\w+n't)$/u;

function pairs(words: readonly string[]): Set<string> {
  return new Set(words.slice(1).map((word, at) => `${words[at]} ${word}`));
}

/** Words that tell something, singular and plural alike; numbers with their signs and points whole. */
function tellingWords(plain: string): string[] {
  const words = plain.match(/[+-]?\d[\d.,:/-]*\d|\d+|[\p{L}\p{M}]+(?:n't)?/gu) ?? [];
  return words.filter((word) => !FILLERS.has(word)).map((word) => word.replace(/(?<=\p{L}{3})s$/u, ''));
}
