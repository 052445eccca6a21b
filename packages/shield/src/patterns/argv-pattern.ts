import { BulkheadError } from '@bulkhead/protocol';
import { type Glob, parseGlob } from './glob.ts';
import { type GlobBudget, matchGlob } from './match-glob.ts';

/**
 * A pattern for one simple command, word by word: `git push **`. Each word is a pattern for one
 * argument, in which `*` and `?` match any character; a word `**` matches any number of arguments,
 * including none.
 */
export interface ArgvPattern {
  readonly source: string;
  /** `any`: a word `**`. */
  readonly words: readonly (Glob | 'any')[];
}

const MAX_WORDS = 64;

/** @throws BulkheadError `config_invalid` for an invalid pattern */
export function parseArgvPattern(source: string): ArgvPattern {
  const texts = source.split(' ').filter((word) => word !== '');
  if (texts.length === 0) throw new BulkheadError('config_invalid', 'the pattern is empty');
  if (texts.length > MAX_WORDS)
    throw new BulkheadError('config_invalid', `the pattern has more than ${MAX_WORDS} words`);
  return { source, words: texts.map((text) => (text === '**' ? 'any' : parseGlob(text, 'command', []))) };
}

/**
 * True if program and arguments match. Takes at most (words of the pattern × words of the command)
 * glob matches.
 *
 * @param words undefined for a word known only at run time: it may be any number of any words
 * @throws BulkheadError `timeout` when the budget is spent
 */
export function matchArgv(
  { words: pattern }: ArgvPattern,
  words: readonly (string | undefined)[],
  budget: GlobBudget,
): boolean {
  let active = entered(pattern, [0]);
  for (const word of words) {
    budget.steps -= active.size + 1;
    active = entered(
      pattern,
      [...active].flatMap((at) => after(pattern, at, word, budget)),
    );
    if (active.size === 0) return false;
  }
  return active.has(pattern.length);
}

/** Positions in the pattern reachable from `at` with one more word. */
function after(
  pattern: ArgvPattern['words'],
  at: number,
  word: string | undefined,
  budget: GlobBudget,
): readonly number[] {
  if (word === undefined) return Array.from({ length: pattern.length - at + 1 }, (_, more) => at + more);
  const part = pattern[at];
  if (part === undefined) return [];
  if (part === 'any') return [at];
  return matchGlob(part, word, { separators: '' }, budget) ? [at + 1] : [];
}

/** Adds the positions reachable by skipping `**`. */
function entered(pattern: ArgvPattern['words'], places: readonly number[]): ReadonlySet<number> {
  const all = new Set<number>();
  for (const place of places) {
    let at = place;
    all.add(at);
    while (pattern[at] === 'any' && !all.has(at + 1)) {
      at += 1;
      all.add(at);
    }
  }
  return all;
}
