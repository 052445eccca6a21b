import { create } from '@bufbuild/protobuf';
import { ruleText } from '@bulkhead/actions/approvals/answered-rule';
import type { ApprovalService } from '@bulkhead/actions/approvals/approval-service';
import type { ApprovalScope, Clock } from '@bulkhead/protocol';
import { ApprovalAnswer, type ClientService, OpenApprovalSchema } from '@bulkhead/protocol/client';
import type { ServiceImpl } from '@connectrpc/connect';
import type { OriginOf } from './call-origin.ts';

/** The approving answers and their scopes; any other answer is a denial. */
const YES: Readonly<Partial<Record<ApprovalAnswer, ApprovalScope>>> = {
  [ApprovalAnswer.ALLOW_ONCE]: 'once',
  [ApprovalAnswer.ALLOW_SESSION]: 'session',
  [ApprovalAnswer.ALLOW_ALWAYS]: 'always',
};

/**
 * Pending approvals and their answers. The approver is whom the door of the call has proved.
 */
export function approvalCalls(approvals: ApprovalService, clock: Pick<Clock, 'now'>, originOf: OriginOf) {
  return {
    decideApproval: async ({ sessionId, approvalId, actionHash, answer }, { requestHeader }) => {
      const { channel, sender } = originOf(requestHeader);
      const approver = { channel, id: sender.id };
      const scope = YES[answer];
      const target = { approval: approvalId, session: sessionId, hash: actionHash };
      const decision = scope === undefined ? 'deny' : 'allow';
      const isTaken = approvals.decide(target, { decision, scope: scope ?? 'once', approver });
      const outcome = await approvals.outcomeOf(target);
      if (outcome === undefined) return { accepted: false };
      const accepted = isTaken && outcome.by === 'person' && outcome.decision === decision;
      return { accepted, decision: outcome.decision, by: outcome.by, scope: outcome.scope ?? '' };
    },
    listApprovals: ({ approvalId }) => ({
      approvals: approvals.open
        .filter(({ id }) => approvalId === '' || id === approvalId)
        .map(
          ({ id, sessionId, action, hash, tool, shown, reason, leftMs, scopes, rule, keeps, full, origin }) =>
            create(OpenApprovalSchema, {
              approvalId: id,
              sessionId,
              actionId: action,
              actionHash: hash,
              tool,
              shown: approvalId === '' ? shown : full(),
              reason,
              expires: new Date(clock.now() + leftMs).toISOString(),
              remainingMs: Math.ceil(leftMs),
              scopes: [...scopes],
              rule: keeps ?? (rule === undefined ? '' : ruleText(rule)),
              channel: origin?.channel ?? '',
              sender: origin?.sender.id ?? '',
              senderName: origin?.sender.name ?? '',
            }),
        ),
    }),
  } satisfies Partial<ServiceImpl<typeof ClientService>>;
}
