import type { Observation } from './observation.ts';
import type { UserRequest } from './request.ts';

/** Orders stand at the beginning of a document; more characters of one text than these give none. */
const MAX_ORDERS = 4_000;

const MAX_TEXTS = 50;

/** Documents that the user named and told the agent to act on: they give verbs and name things, never recipients. */
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

/** True if the user's words ask to do what a document says, and name the document. */
function delegates(orders: string): boolean {
  return /\b(?:follow|do|perform|complete|carry out|execute|finish|handle|work through)\b(?! the following| these)[^.!?\n]{0,60}\b(?:instructions?|actions?|tasks?|to-?dos?|steps|requests?|list|what (?:it|he|she|they) says?)\b/iu.test(
    orders,
  );
}
