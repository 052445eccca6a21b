import type { EffectKind, ToolAnnotation } from '@bulkhead/protocol';
import type { FlowVerdict } from './flow-verdict.ts';
import { asksFor } from './intent.ts';
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
  return [request.orders, ...delegated].some((orders) => asksFor(orders, tool));
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
