import { BulkheadError } from '@bulkhead/protocol';

/**
 * Globs over paths in time proportional to path × pattern: the matcher keeps a set of positions and
 * never backtracks. A model writes the patterns, so none may be slow.
 *
 * `*` any characters but `/` · `?` one · `**` any folders · `[a-z]` `[!a-z]` one of a set · `{a,b}`
 * one of a list. A pattern without `/` matches the last name at any depth; names that begin with a
 * dot match like any other.
 */
export type GlobMatcher = (path: string) => boolean;

const MAX_ALTERNATIVES = 64;
const MAX_TOKENS = 2_048;

type Token =
  | { readonly kind: 'one'; readonly accepts: (character: string) => boolean }
  /** Any number of characters but `/`. */
  | { readonly kind: 'star' }
  /** Any number of whole folders, each with its `/`. */
  | { readonly kind: 'folders' }
  /** Any characters. */
  | { readonly kind: 'rest' };

/**
 * @throws BulkheadError `invalid_arguments` for a set or list that isn't closed and for too many
 * alternatives
 */
export function compileGlob(pattern: string): GlobMatcher {
  const anchored = pattern.replace(/^(\.?\/)+/, '');
  const whole = anchored.includes('/') ? anchored : `**/${anchored}`;
  const alternatives = expandBraces(whole).map(tokens);
  const size = alternatives.reduce((sum, alternative) => sum + alternative.length, 0);
  if (size > MAX_TOKENS) throw invalid('it is too long');
  return (path) => {
    const characters = [...path];
    return alternatives.some((alternative) => matches(alternative, characters));
  };
}

function expandBraces(pattern: string): string[] {
  let done: string[] = [''];
  let rest = pattern;
  for (let at = braceStart(rest); at >= 0; at = braceStart(rest)) {
    const { options, end } = readBrace(rest, at);
    const head = rest.slice(0, at);
    const expanded = options.flatMap(expandBraces);
    done = done.flatMap((before) => expanded.map((option) => `${before}${head}${option}`));
    if (done.length > MAX_ALTERNATIVES) throw invalid(`more than ${MAX_ALTERNATIVES} alternatives`);
    rest = rest.slice(end);
  }
  return done.map((before) => `${before}${rest}`);
}

/** Position of the first `{` outside a set, or -1. */
function braceStart(pattern: string): number {
  for (let at = 0; at < pattern.length; at += 1) {
    if (pattern[at] === '\\') at += 1;
    else if (pattern[at] === '[') at = Math.max(at, pattern.indexOf(']', at + 2));
    else if (pattern[at] === '{') return at;
  }
  return -1;
}

function readBrace(pattern: string, start: number): { options: string[]; end: number } {
  const options: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let at = start; at < pattern.length; at += 1) {
    const character = pattern[at];
    if (character === '\\') at += 1;
    else if (character === '{') depth += 1;
    else if (character === '}') depth -= 1;
    if (depth === 0 || (depth === 1 && character === ',')) {
      options.push(pattern.slice(from, at));
      from = at + 1;
    }
    if (depth === 0) return { options, end: at + 1 };
  }
  throw invalid('a { has no }');
}

function tokens(pattern: string): Token[] {
  const characters = [...pattern];
  const result: Token[] = [];
  for (let at = 0; at < characters.length; ) {
    const { token, next } = readToken(characters, at);
    result.push(token);
    at = next;
  }
  return result;
}

function readToken(pattern: readonly string[], at: number): { token: Token; next: number } {
  const character = pattern[at] ?? '';
  if (character === '?') return { token: { kind: 'one', accepts: (other) => other !== '/' }, next: at + 1 };
  if (character === '[') return readSet(pattern, at);
  if (character === '*') return readStar(pattern, at);
  const escaped = character === '\\' && at + 1 < pattern.length;
  const literal = escaped ? pattern[at + 1] : character;
  return { token: { kind: 'one', accepts: (other) => other === literal }, next: at + (escaped ? 2 : 1) };
}

function readStar(pattern: readonly string[], at: number): { token: Token; next: number } {
  let next = at;
  while (pattern[next] === '*') next += 1;
  const alone = at === 0 || pattern[at - 1] === '/';
  if (next - at < 2 || !alone) return { token: { kind: 'star' }, next };
  if (pattern[next] === '/') return { token: { kind: 'folders' }, next: next + 1 };
  return next === pattern.length ? { token: { kind: 'rest' }, next } : { token: { kind: 'star' }, next };
}

function readSet(pattern: readonly string[], at: number): { token: Token; next: number } {
  const negated = pattern[at + 1] === '!' || pattern[at + 1] === '^';
  const start = at + (negated ? 2 : 1);
  // A `]` that comes first is a member of the set, as in the shell.
  const end = pattern.indexOf(']', start + 1);
  if (end < 0) throw invalid('a [ has no ]');
  const ranges = setRanges(pattern.slice(start, end));
  const accepts = (other: string) =>
    other !== '/' && ranges.some(([low, high]) => other >= low && other <= high) !== negated;
  return { token: { kind: 'one', accepts }, next: end + 1 };
}

function setRanges(members: readonly string[]): (readonly [string, string])[] {
  const ranges: (readonly [string, string])[] = [];
  for (let at = 0; at < members.length; ) {
    const low = members[at] ?? '';
    const high = members[at + 2];
    const range = members[at + 1] === '-' && high !== undefined;
    ranges.push(range ? [low, high] : [low, low]);
    at += range ? 3 : 1;
  }
  return ranges;
}

/** Walks the path once; `places` holds every pattern position that the path so far can reach. */
function matches(pattern: readonly Token[], path: readonly string[]): boolean {
  let places = reach(pattern, new Set([0]));
  for (const character of path) {
    const next = new Set<number>();
    for (const place of places) advance(pattern, place, character, next);
    // A `**/` may match nothing after a `/` and at the start, but not inside a name.
    places = reach(pattern, next, character === '/');
    if (places.size === 0) return false;
  }
  return places.has(pattern.length);
}

function advance(pattern: readonly Token[], place: number, character: string, next: Set<number>): void {
  const token = pattern[place];
  if (token === undefined) return;
  if (token.kind === 'one') {
    if (token.accepts(character)) next.add(place + 1);
  } else if (token.kind !== 'star' || character !== '/') {
    next.add(place);
  }
}

/**
 * Adds the positions that need no character: a star may match nothing, folders only at the start of
 * a name.
 */
function reach(pattern: readonly Token[], places: Set<number>, nameStart = true): Set<number> {
  for (const place of places) {
    const kind = pattern[place]?.kind;
    if (kind === 'star' || kind === 'rest' || (kind === 'folders' && nameStart)) places.add(place + 1);
  }
  return places;
}

function invalid(reason: string): BulkheadError {
  return new BulkheadError('invalid_arguments', `the glob is not valid: ${reason}`);
}
