import { createHmac, timingSafeEqual } from 'node:crypto';

/** The action that a token allows, and its approver. */
export interface TokenClaims {
  /** SHA-256 of the canonical action, hex: the bytes that may be executed. */
  readonly digest: string;
  /** SHA-256, hex, of the shown or planned changes: the state that was approved. */
  readonly changes: string;
  readonly session: string;
  readonly action: string;
  /**
   * The approver: a person, `policy` if no question was asked, or the approval given in advance.
   */
  readonly approver: string;
  /** The channel of the approval; `engine` if no question was asked. */
  readonly channel: string;
  /** Version of the policy that judged the action. */
  readonly policy: string;
}

/** Approves exactly one action, once. Source of the fields: FR6. */
export interface ApprovalToken extends TokenClaims {
  readonly nonce: string;
  /** Milliseconds since the epoch. */
  readonly expires: number;
  /**
   * The same moment by the monotonic clock, in milliseconds: setting back the wall clock extends
   * nothing.
   */
  readonly deadline: number;
  /** HMAC-SHA-256 of all of the above, hex. */
  readonly mac: string;
}

type Unsigned = Omit<ApprovalToken, 'mac'>;

/** @param key secret, 32 bytes */
export function signToken(token: Unsigned, key: Uint8Array): ApprovalToken {
  return Object.freeze({ ...token, mac: macOf(token, key).toString('hex') });
}

/** @returns false for a token signed with another key, or changed in any field */
export function isGenuine(token: ApprovalToken, key: Uint8Array): boolean {
  const given = Buffer.from(token.mac, 'hex');
  const due = macOf(token, key);
  return given.length === due.length && timingSafeEqual(given, due);
}

/** A list in this order: no value can pass for another field. */
function macOf(token: Unsigned, key: Uint8Array): Buffer {
  const { digest, changes, session, action, approver, channel, policy, nonce, expires, deadline } = token;
  const signed = [digest, changes, session, action, approver, channel, policy, nonce, expires, deadline];
  return createHmac('sha256', key)
    .update(JSON.stringify(['bulkhead approval 1', ...signed]))
    .digest();
}
