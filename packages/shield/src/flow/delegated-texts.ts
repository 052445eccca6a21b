import type { Observation } from './observation.ts';
import type { UserRequest } from './request.ts';

/** Instructions come early in a document; only so many characters of one text are read for them. */
const MAX_ORDERS = 4_000;

const MAX_TEXTS = 50;

/**
 * Documents that the user named and instructed the agent to follow: they give verbs and name
 * things, never recipients.
 */
export function delegatedTexts(
  request: UserRequest,
  observations: readonly Observation[],
): readonly string[] {
  if (!delegates(request.orders)) return [];
  return observations
    .filter(({ pointed, effect }) => pointed && (effect === 'read' || effect === 'fetch'))
    .flatMap(({ values }) =>
      values.filter(({ as }) => as === 'text').map(({ text }) => text.slice(0, MAX_ORDERS)),
    )
    .slice(0, MAX_TEXTS);
}

/** True if the user's words ask to follow a document, and name it. */
function delegates(orders: string): boolean {
  return /\b(?:follow|do|perform|complete|carry out|execute|finish|handle|work through)\b(?! the following| these)[^.!?\n]{0,60}\b(?:instructions?|actions?|tasks?|to-?dos?|steps|requests?|list|what (?:it|he|she|they) says?)\b/iu.test(
    orders,
  );
}
