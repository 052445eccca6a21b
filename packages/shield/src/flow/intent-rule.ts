import type { EffectKind, ToolAnnotation } from '@bulkhead/protocol';
import type { FlowVerdict } from './flow-verdict.ts';
import { sentencesAsking } from './intent.ts';
import type { Observation } from './observation.ts';
import type { UserRequest } from './request.ts';

/**
 * Effects that need no request: they change nothing outside, or are judged by their destination.
 */
const UNASKED: ReadonlySet<EffectKind> = new Set<EffectKind>([
  'read',
  'fetch',
  'delegate',
  'remember',
  'execute',
]);

/**
 * Intent side: checks that the user asked for this class of effect. A document that the user
 * delegated to may ask, too.
 * @param delegated texts of such documents
 */
export function judgeIntent(
  request: UserRequest,
  delegated: readonly string[],
  tool: ToolAnnotation,
): FlowVerdict | undefined {
  if (UNASKED.has(tool.effect) || isAsked(request, delegated, tool)) return undefined;
  return {
    decision: 'escalate',
    rule: 'effect-not-asked',
    reason: `you did not ask to ${VERBS[tool.effect]} anything, and text that others wrote has been read`,
    evidence: [],
  };
}

/** True if the user's words, or those of a delegated document, ask for this class of effect. */
export function isAsked(request: UserRequest, delegated: readonly string[], tool: ToolAnnotation): boolean {
  return [request.orders, ...delegated].some((orders) => sentencesAsking(orders, tool).length > 0);
}

const VERBS: Readonly<Record<EffectKind, string>> = {
  read: 'read',
  fetch: 'fetch',
  send: 'send',
  share: 'share',
  publish: 'publish',
  pay: 'pay',
  book: 'book',
  create: 'create',
  change: 'change',
  delete: 'delete',
  execute: 'run',
  schedule: 'schedule',
  delegate: 'delegate',
  remember: 'remember',
  configure: 'configure',
  account: 'change an account for',
};

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
