import { BulkheadError } from '@bulkhead/protocol';
import { type Glob, parseGlob } from './glob.ts';
import { type GlobBudget, matchGlob, spend } from './match-glob.ts';

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
 * glob matches. Never copies the words: a command can have a hundred thousand, and a policy hundreds
 * of patterns.
 *
 * @param words undefined for a word known only at run time: it may be any number of any words
 * @param program stands in place of the first word
 * @throws BulkheadError `timeout` when the budget is spent
 */
export function matchArgv(
  { words: pattern }: ArgvPattern,
  words: readonly (string | undefined)[],
  budget: GlobBudget,
  program: string | undefined = words[0],
): boolean {
  const walk: Walk = { pattern, seen: new Uint32Array(pattern.length + 1), step: 1 };
  let active: number[] = [];
  let next: number[] = [];
  enter(walk, 0, active);
  for (let index = 0; index < words.length && active.length > 0; index += 1) {
    spend(budget, active.length + STEPS_PER_WORD);
    walk.step += 1;
    next.length = 0;
    const word = index === 0 ? program : words[index];
    for (const at of active) advance(walk, at, word, budget, next);
    [active, next] = [next, active];
  }
  return active.includes(pattern.length);
}

/** Cost of a word, besides the positions in the pattern. */
const STEPS_PER_WORD = 3;

interface Walk {
  readonly pattern: ArgvPattern['words'];
  /** The step at which a position last became active. */
  readonly seen: Uint32Array;
  step: number;
}

/** Activates the positions in the pattern reachable from `at` with one more word. */
function advance(walk: Walk, at: number, word: string | undefined, budget: GlobBudget, next: number[]): void {
  const part = walk.pattern[at];
  if (word === undefined) for (let more = at; more <= walk.pattern.length; more += 1) enter(walk, more, next);
  else if (part === 'any') enter(walk, at, next);
  else if (part !== undefined && matchGlob(part, word, { separators: '' }, budget)) enter(walk, at + 1, next);
}

/** Activates a position, and those reachable from it by skipping `**`. */
function enter({ pattern, seen, step }: Walk, place: number, active: number[]): void {
  for (let at = place; at <= pattern.length && seen[at] !== step; at += 1) {
    seen[at] = step;
    active.push(at);
    if (pattern[at] !== 'any') return;
  }
}
