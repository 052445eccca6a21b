import { type Action, faultPoint } from '@bulkhead/protocol';
import type { ApprovalDesk, ApprovalMode, ApprovalOutcome } from '../approvals/approval-desk.ts';
import type { ActionContext } from './action-context.ts';
import { likenessOf } from './likeness.ts';

/**
 * Puts one question about an action to a person, and tells the session of question and answer.
 *
 * @param question `shown` is what the person decides about, `reason` why they are asked
 * @param unboxed true if a yes given for the whole run doesn't count for it
 */
export async function askPerson(
  approvals: ApprovalDesk,
  action: Action,
  question: { readonly shown: string; readonly reason: string },
  context: ActionContext,
  unboxed = false,
): Promise<ApprovalOutcome> {
  const { id, expires, outcome } = approvals.request(
    action,
    whoIsAsked(action, context, unboxed),
    context.signal,
  );
  const about = { approval: id, action: action.id, hash: action.hash } as const;
  context.publish({
    type: 'approval_requested',
    ...about,
    tool: action.tool,
    ...question,
    expires: new Date(expires).toISOString(),
  });
  faultPoint('approval.asked');
  const { decision, by } = await outcome;
  context.publish({ type: 'approval_decided', ...about, decision, by });
  faultPoint('approval.decided');
  return { decision, by };
}

/** What may have happened already is for a person to decide, also where the run was told that nobody is asked. */
function whoIsAsked(action: Action, { approve, doubtful }: ActionContext, unboxed: boolean): ApprovalMode {
  if (unboxed && approve === 'allow') return 'deny';
  return approve === 'allow' && doubtful.has(likenessOf(action)) ? 'ask' : approve;
}
