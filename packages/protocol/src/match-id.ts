import { BulkheadError } from './errors.ts';

/** Shortest part of an id that can identify it. */
const MIN_PART = 6;
/** How many ids an error names. */
const NAMED = 5;

/**
 * Finds the id that a user means: a whole one, or at least six characters of the beginning or end
 * of one, in any case. Ids begin with their time, so ids of the same minutes begin alike; their
 * ends are random.
 *
 * @param ids the existing ones
 * @param many their name in messages: `sessions`
 * @param part `end` if a wrong match would do harm: a beginning may match an id made a moment
 *   later
 * @returns undefined if there is none
 * @throws BulkheadError `usage` if it is too short, or matches several, with the first of them
 */
export function matchId(
  given: string,
  ids: Iterable<string>,
  many: string,
  part: 'either' | 'end' = 'either',
): string | undefined {
  const all = new Set(ids);
  if (all.has(given)) return given;
  const meant = given.toLowerCase();
  const matches = [...all].filter((id) => {
    const known = id.toLowerCase();
    return known.endsWith(meant) || (part === 'either' && known.startsWith(meant));
  });
  if (matches.length > 0 && given.length < MIN_PART) {
    throw new BulkheadError('usage', `${JSON.stringify(given)} is too short for one of the ${many}`, {
      fix: `Give the whole id, or at least ${MIN_PART} characters of its end.`,
    });
  }
  if (matches.length <= 1) return matches[0];
  const named = matches.slice(0, NAMED).join(', ');
  const more = matches.length > NAMED ? ` and ${matches.length - NAMED} more` : '';
  throw new BulkheadError('usage', `${matches.length} ${many} could be ${given}: ${named}${more}`, {
    fix: 'Give the last characters of the id: its beginning is a time.',
  });
}
