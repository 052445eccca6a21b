import type { ApprovalAnswer } from '../approvals/approval-service.ts';
import { OWNER } from '../approvals/approver.ts';

/** A yes of the person whose engine it is, for this once. */
export const YES: ApprovalAnswer = { decision: 'allow', scope: 'once', approver: OWNER };

export const NO: ApprovalAnswer = { ...YES, decision: 'deny' };
