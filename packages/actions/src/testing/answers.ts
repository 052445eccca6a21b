import type { ApprovalAnswer } from '../approvals/approval-service.ts';
import { OWNER } from '../approvals/approver.ts';

/** The owner approves once. */
export const YES: ApprovalAnswer = { decision: 'allow', scope: 'once', approver: OWNER };

export const NO: ApprovalAnswer = { ...YES, decision: 'deny' };
