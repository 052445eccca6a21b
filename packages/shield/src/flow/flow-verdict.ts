import type { ArgumentRole, Decision, Writer } from '@bulkhead/protocol';
import type { Trust } from '../annotations/flow-policy.ts';

/** What information flow says of one call, with what it judged from. */
export interface FlowVerdict {
  readonly decision: Decision;
  /** Kebab-case name of the rule that decided. */
  readonly rule: string;
  /** A sentence for a person. */
  readonly reason: string;
  /** One for each value that the rule looked at. */
  readonly evidence: readonly ArgumentEvidence[];
  /** In audit mode, what would have been decided. */
  readonly audited?: Decision;
}

/** Where a value in a call comes from, for the person who is asked: the value, its source and its writer. */
export interface ArgumentEvidence {
  readonly argument: string;
  readonly value: string;
  readonly role: ArgumentRole;
  /** `nowhere`: neither the user nor any result said it. */
  readonly from: 'user' | 'result' | 'nowhere';
  /** Tool that gave it, and the text around it there. */
  readonly tool?: string;
  readonly source?: string;
  /** Who could write it. */
  readonly writer?: Writer;
  readonly endorsed: boolean;
}

/**
 * The answer where no rule asks.
 *
 * @param outside the call has an effect outside the working folder
 */
export function allowedBy(outside: boolean, trust: Trust): FlowVerdict {
  const why = outside
    ? 'what it is given comes from you or from what you named'
    : 'it stays in the working folder';
  const reason = trust === 'external' ? why : 'nothing that others wrote has been read';
  return { decision: 'allow', rule: 'flow', reason, evidence: [] };
}
