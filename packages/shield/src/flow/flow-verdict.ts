import type { ArgumentRole, Decision, Writer } from '@bulkhead/protocol';
import type { Trust } from '../annotations/flow-policy.ts';

/** Information flow's verdict on one call, with its evidence. */
export interface FlowVerdict {
  readonly decision: Decision;
  /** Kebab-case name of the rule that decided. */
  readonly rule: string;
  /** A sentence for a person. */
  readonly reason: string;
  /** One for each value that the rule checked. */
  readonly evidence: readonly ArgumentEvidence[];
  /** In audit mode, what would have been decided. */
  readonly audited?: Decision;
}

/** The origin of a value in a call, shown to the person asked: value, source and writer. */
export interface ArgumentEvidence {
  readonly argument: string;
  readonly value: string;
  readonly role: ArgumentRole;
  /** `nowhere`: neither in the user's words nor in any result. */
  readonly from: 'user' | 'result' | 'nowhere';
  /** The tool with the value in its result, and the text around it. */
  readonly tool?: string;
  readonly source?: string;
  /** Who could have written it. */
  readonly writer?: Writer;
  readonly endorsed: boolean;
}

/**
 * The verdict where no rule asks.
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
