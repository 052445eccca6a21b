import type { ApprovalMode } from '@bulkhead/protocol';
import { type Action, faultPoint } from '@bulkhead/protocol';
import { ruleText } from '../approvals/answered-rule.ts';
import type { ApprovalQuestion, ApprovalService } from '../approvals/approval-service.ts';
import type { ApprovalOutcome } from '../approvals/approver.ts';
import type { ActionContext } from './action-context.ts';
import { likenessOf } from './likeness.ts';

/** What is asked, beside the action it is about. */
export type AskedQuestion = Omit<ApprovalQuestion, 'sessionId' | 'action' | 'hash' | 'tool' | 'repeatable'>;

/**
 * Puts one question about an action to a person, and tells the session of question and answer.
 *
 * @param question `shown` is what the person decides about, `reason` why they are asked
 * @param ownYes true if a yes given for the whole run doesn't count for it
 * @throws Suspension if the engine stops first: the next one asks anew
 */
export async function askPerson(
  approvals: ApprovalService,
  action: Action,
  question: AskedQuestion,
  context: ActionContext,
  ownYes = false,
): Promise<ApprovalOutcome> {
  const { sessionId, hash, tool, metadata } = action;
  const { shown, reason, scopes, rule } = question;
  const { id, expires, outcome } = approvals.request(
    { ...question, sessionId, action: action.id, hash, tool, repeatable: metadata.effect !== 'once' },
    whoIsAsked(action, context, ownYes),
    AbortSignal.any([context.signal, context.stopping]),
  );
  const about = { approval: id, action: action.id, hash } as const;
  context.publish({
    type: 'approval_requested',
    ...about,
    tool,
    shown,
    reason,
    expires: new Date(expires).toISOString(),
    scopes,
    ...(rule === undefined ? {} : { rule: ruleText(rule) }),
  });
  faultPoint('approval.asked');
  const { decision, by, scope, approver } = await outcome;
  const reach = scope === undefined ? {} : { scope };
  context.publish({ type: 'approval_decided', ...about, decision, by, ...reach });
  faultPoint('approval.decided');
  return { decision, by, ...reach, ...(approver === undefined ? {} : { approver }) };
}

/** What may have happened already is for a person to decide, also where the run was told that nobody is asked. */
function whoIsAsked(action: Action, { approve, doubtful }: ActionContext, ownYes: boolean): ApprovalMode {
  if (ownYes && approve === 'allow') return 'deny';
  return approve === 'allow' && doubtful.has(likenessOf(action)) ? 'ask' : approve;
}
