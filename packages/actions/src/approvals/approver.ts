import type { ApprovalScope, DurableEventBody } from '@bulkhead/protocol';

type Decided = Extract<DurableEventBody, { readonly type: 'approval_decided' }>;

/** Who answers a question: the identity that the connection proved, never a claim in the answer. */
export interface Approver {
  /** The channel of the answer: `client` for terminal, web and SDK clients of this home. */
  readonly channel: string;
  /** The identity on that channel. */
  readonly id: string;
}

/** A client that proved to be the owner of the engine, over any endpoint. */
export const OWNER: Approver = { channel: 'client', id: 'owner' };

/** The question that is answered: all three must match. */
export interface AnswerTarget {
  readonly approval: string;
  readonly session: string;
  readonly hash: string;
}

export interface ApprovalOutcome {
  readonly decision: Decided['decision'];
  readonly by: Decided['by'];
  /** How far an approval reaches. */
  readonly scope?: ApprovalScope;
  readonly approver?: Approver;
}
