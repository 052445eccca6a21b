import type { ApprovalScope, DurableEventBody } from '@bulkhead/protocol';

type Decided = Extract<DurableEventBody, { readonly type: 'approval_decided' }>;

/** Who answers a question. It is what the connection proved, never what the answer says of itself. */
export interface Approver {
  /** The way the answer came: `client` for terminal, web and SDK clients of this home. */
  readonly channel: string;
  /** Who it is there. */
  readonly id: string;
}

/** Whoever proved to be the owner, by whatever door: the person whose engine it is. */
export const OWNER: Approver = { channel: 'client', id: 'owner' };

/** Which question is answered: all three must be those that were asked. */
export interface AnswerTarget {
  readonly approval: string;
  readonly session: string;
  readonly hash: string;
}

export interface ApprovalOutcome {
  readonly decision: Decided['decision'];
  readonly by: Decided['by'];
  /** Of a person's yes: how far it reaches. */
  readonly scope?: ApprovalScope;
  readonly approver?: Approver;
}
