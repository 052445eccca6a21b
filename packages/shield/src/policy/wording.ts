import { BulkheadError } from '@bulkhead/protocol';
import type { PolicyList } from './policy.ts';

/** Quotes text of an action inside a sentence, shortened if long. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}

/** Lists whose rules allow: there, unknown values never match. */
export function letsPass(list: PolicyList): boolean {
  return list === 'allow' || list === 'answered';
}

/**
 * Checks a condition for all values of one kind in an action: one must hold, or, in allow lists,
 * all.
 *
 * @param things undefined if unknown
 * @param what their name, singular: `host`
 * @returns why the condition does not hold; undefined if it does
 */
export function failureAmong<Thing>(
  list: PolicyList,
  what: string,
  things: readonly Thing[] | undefined,
  holds: (thing: Thing) => boolean,
  describe: (thing: Thing) => string,
): string | undefined {
  if (things === undefined) return letsPass(list) ? `the action's ${what} is not known` : undefined;
  if (things.length === 0) return `the action names no ${what}`;
  if (!letsPass(list)) return things.some(holds) ? undefined : `no ${what} of the action matches`;
  const other = things.find((thing) => !holds(thing));
  return other === undefined ? undefined : `${what} ${describe(other)} does not match`;
}

/** As `failureAmong`, for a single-valued fact. */
export function failureOf<Fact extends string>(
  list: PolicyList,
  what: string,
  fact: Fact | undefined,
  wanted: readonly Fact[],
): string | undefined {
  if (fact === undefined) return letsPass(list) ? `${what} is not known` : undefined;
  return wanted.includes(fact) ? undefined : `${what} is ${quote(fact)}`;
}

export function notResolved(path: string): BulkheadError {
  return new BulkheadError('internal', `path ${quote(path)} of the action is not resolved`);
}
