import { BulkheadError } from '@bulkhead/protocol';
import type { PolicyList } from './policy.ts';

/** Text of an action inside a sentence, cut where it is long. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}

/** Lists whose rules let pass: there what is not known never matches. */
export function letsPass(list: PolicyList): boolean {
  return list === 'allow' || list === 'answered';
}

/**
 * Asks a condition of all the things of one kind that an action has: one must hold, or, in lists that let pass, all.
 *
 * @param things undefined if they aren't known
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

/** As `failureAmong`, for a fact there is one of. */
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
