import type { ApprovalMode } from '@bulkhead/protocol';
import { type Action, faultPoint } from '@bulkhead/protocol';
import { ruleText } from '../approvals/answered-rule.ts';
import type { ApprovalQuestion, ApprovalService } from '../approvals/approval-service.ts';
import type { ApprovalOutcome } from '../approvals/approver.ts';
import type { ActionContext } from './action-context.ts';
import { likenessOf } from './likeness.ts';

/** The content of a question, besides its action. */
export type AskedQuestion = Omit<
  ApprovalQuestion,
  'sessionId' | 'action' | 'hash' | 'tool' | 'repeatable' | 'origin'
>;

/**
 * Asks a person one question about an action, and publishes question and answer in the session.
 *
 * @param question `shown` is the text to decide about, `reason` why the person is asked
 * @param ownYes true if an approval for the whole run does not cover it
 * @throws Suspension if the engine stops first: the next engine asks again
 */
export async function askPerson(
  approvals: ApprovalService,
  action: Action,
  question: AskedQuestion,
  context: ActionContext,
  ownYes = false,
): Promise<ApprovalOutcome> {
  const { sessionId, hash, tool, metadata } = action;
  const { shown, reason, scopes, rule, keeps } = question;
  const forGood = keeps ?? (rule === undefined ? undefined : ruleText(rule));
  const { id, expires, outcome } = approvals.request(
    {
      ...question,
      sessionId,
      action: action.id,
      hash,
      tool,
      repeatable: metadata.effect !== 'once',
      origin: action.origin,
    },
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
    ...(forGood === undefined ? {} : { rule: forGood }),
    ...(action.origin === undefined ? {} : { origin: action.origin }),
  });
  faultPoint('approval.asked');
  const { decision, by, scope, approver } = await outcome;
  const reach = scope === undefined ? {} : { scope };
  const who =
    approver === undefined ? {} : { approver: { channel: approver.channel, sender: { id: approver.id } } };
  context.publish({ type: 'approval_decided', ...about, decision, by, ...reach, ...who });
  faultPoint('approval.decided');
  return { decision, by, ...reach, ...(approver === undefined ? {} : { approver }) };
}

/** A person must decide about an unknown outcome, even in a run that asks no questions. */
function whoIsAsked(action: Action, { approve, doubtful }: ActionContext, ownYes: boolean): ApprovalMode {
  if (ownYes && approve === 'allow') return 'deny';
  return approve === 'allow' && doubtful.has(likenessOf(action)) ? 'ask' : approve;
}
