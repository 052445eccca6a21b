import { type ApprovalScope, CLIENT_CHANNELS, type DurableEventBody, OWNER_ID } from '@bulkhead/protocol';

type Decided = Extract<DurableEventBody, { readonly type: 'approval_decided' }>;

/** Who answers a question: the identity that the connection proved, never a claim in the answer. */
export interface Approver {
  /** The channel of the answer. */
  readonly channel: string;
  /** The identity on that channel. */
  readonly id: string;
}

/** The owner of the engine at a client that does not name itself. */
export const OWNER: Approver = { channel: 'client', id: OWNER_ID };

/** The endpoints for clients admit the owner by a token or login; other approvers may answer nothing. */
export function isOwnerAtClient({ channel, id }: Approver): boolean {
  return id === OWNER_ID && CLIENT_CHANNELS.has(channel);
}

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
