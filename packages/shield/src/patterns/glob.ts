import { BulkheadError } from '@bulkhead/protocol';

/**
 * Patterns for paths and commands. The whole text must match.
 *
 * - `*` any run of characters up to a separator, `?` one character except a separator
 * - `**` any run of characters. In paths, a folder named `**` is any number of folders, including
 * none, and a last `/**` is the folder before it and everything below
 * - `\` makes the next character literal; `[` and `{` must be escaped, as other tools give them a
 * meaning
 * - `{name}` stands for a text that the caller of the match provides, taken literally
 */
export interface Glob {
  readonly source: string;
  readonly parts: readonly GlobPart[];
}

export type GlobPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string }
  /** `?`, `*`, `**`, a folder named `**`, a last `/**`. */
  | { readonly kind: 'one' | 'run' | 'deep' | 'folders' | 'below' };

const MAX_PATTERN = 1024;
const TOKEN = /\\(.?)|\{(\w*)\}|(\/\*\*$)|((?<=^|\/)\*\*\/)|(\*+)|(\?)|([[{])|([^\\{[*?/]+|\/)/gsu;

/**
 * @param variables names allowed in `{…}`
 * @throws BulkheadError `config_invalid` for an invalid pattern
 */
export function parseGlob(source: string, kind: 'path' | 'command', variables: readonly string[]): Glob {
  if (source === '') throw invalid('is empty');
  if (source.length > MAX_PATTERN) throw invalid(`is longer than ${MAX_PATTERN} characters`);
  const parts: GlobPart[] = [];
  for (const match of source.matchAll(TOKEN)) parts.push(...partsOf(match, kind, variables));
  return { source, parts };
}

function partsOf(
  match: RegExpMatchArray,
  kind: 'path' | 'command',
  variables: readonly string[],
): GlobPart[] {
  const [whole, escaped, variable, below, folders, stars, one, reserved] = match;
  if (escaped === '') throw invalid('ends in a backslash');
  if (escaped !== undefined) return [{ kind: 'text', text: escaped }];
  if (variable !== undefined) return [variableOf(variable, variables)];
  if (reserved !== undefined) {
    throw invalid(
      `has a bare "${reserved}", which means nothing here; write \\${reserved} for the character`,
    );
  }
  if (below !== undefined) return kind === 'path' ? [{ kind: 'below' }] : [SLASH, { kind: 'deep' }];
  if (folders !== undefined) return kind === 'path' ? [{ kind: 'folders' }] : [{ kind: 'deep' }, SLASH];
  if (one !== undefined) return [{ kind: 'one' }];
  if (stars === undefined) return [{ kind: 'text', text: whole }];
  if (stars.length > 2) throw invalid('has more than two stars in a row');
  return [{ kind: stars === '*' ? 'run' : 'deep' }];
}

const SLASH: GlobPart = { kind: 'text', text: '/' };

function variableOf(name: string, variables: readonly string[]): GlobPart {
  if (variables.includes(name)) return { kind: 'variable', name };
  const known = variables.map((each) => `{${each}}`).join(', ');
  throw invalid(`uses {${name}}; ${known === '' ? 'nothing in braces is known here' : `known: ${known}`}`);
}

function invalid(why: string): BulkheadError {
  return new BulkheadError('config_invalid', `the pattern ${why}`);
}
