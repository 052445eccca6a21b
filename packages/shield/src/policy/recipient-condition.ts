import type { Action } from '@bulkhead/protocol';
import { annotationOfCall } from '../annotations/annotation-of-call.ts';
import type { Glob } from '../patterns/glob.ts';
import { type GlobBudget, matchGlob } from '../patterns/match-glob.ts';
import type { PolicyList } from './policy.ts';
import type { PolicyFacts } from './policy-case.ts';
import { failureAmong, quote } from './wording.ts';

/** Separators between recipients, and between a name and its domain. */
const SEPARATORS = '@,;<>"\' \t\n\r';

/** Returns why `recipient` does not hold. */
export function recipientFailure(
  list: PolicyList,
  globs: readonly Glob[],
  action: Action,
  facts: PolicyFacts,
  budget: GlobBudget,
): string | undefined {
  const holds = (recipient: string): boolean =>
    globs.some((glob) => matchGlob(glob, recipient.toLowerCase(), { separators: SEPARATORS }, budget));
  return failureAmong(list, 'recipient', recipientsOf(action, facts), holds, quote);
}

/** Undefined if the tool is unknown, or a recipient is not text. */
function recipientsOf(action: Action, { annotations }: PolicyFacts): string[] | undefined {
  const annotation = annotations && annotationOfCall(annotations, action);
  if (annotation === undefined) return undefined;
  const values = Object.entries(action.arguments).flatMap(([name, value]) =>
    roleOf(annotation.arguments, name) === 'recipient' ? [value].flat() : [],
  );
  const texts = values.flatMap((value) => (typeof value === 'string' ? [value] : []));
  return texts.length === values.length ? texts : undefined;
}

function roleOf(roles: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(roles, name) ? roles[name] : undefined;
}
