import { BulkheadError } from '@bulkhead/protocol';

/** Characters of an id from which on it may be left unfinished. */
const MIN_PREFIX = 6;
/** How many ids an error names. */
const NAMED = 5;

/**
 * The id that a person means: a whole one, or at least six characters of the beginning of one, in any case.
 *
 * @param ids those there are
 * @param many what they are called: `sessions`
 * @returns undefined if there is none
 * @throws BulkheadError `usage` if several begin so, with the first of them
 */
export function matchId(given: string, ids: Iterable<string>, many: string): string | undefined {
  const all = new Set(ids);
  if (all.has(given)) return given;
  const start = given.toLowerCase();
  if (start.length < MIN_PREFIX) return undefined;
  const matches = [...all].filter((id) => id.toLowerCase().startsWith(start));
  if (matches.length <= 1) return matches[0];
  const named = matches.slice(0, NAMED).join(', ');
  const more = matches.length > NAMED ? ` and ${matches.length - NAMED} more` : '';
  throw new BulkheadError('usage', `${matches.length} ${many} begin with ${given}: ${named}${more}`, {
    fix: 'Give more of the id.',
  });
}
