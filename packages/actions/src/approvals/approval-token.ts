import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a token lets happen, and who let it. */
export interface TokenClaims {
  /** SHA-256 of the canonical action, hex: the bytes that may be carried out. */
  readonly digest: string;
  /** SHA-256, hex, of what it was shown or foretold to change: the state that was approved. */
  readonly changes: string;
  readonly session: string;
  readonly action: string;
  /** Who said yes: a person, `policy` where nobody was asked, or the yes that was given beforehand. */
  readonly approver: string;
  /** The way the yes came; `engine` where nobody was asked. */
  readonly channel: string;
  /** Version of the policy the action was judged by. */
  readonly policy: string;
}

/** A yes to exactly one action, once. Source of the fields: FR6. */
export interface ApprovalToken extends TokenClaims {
  readonly nonce: string;
  /** Milliseconds since the epoch. */
  readonly expires: number;
  /** The same moment by the monotonic clock, in milliseconds: setting the wall clock back prolongs nothing. */
  readonly deadline: number;
  /** HMAC-SHA-256 of all of the above, hex. */
  readonly mac: string;
}

type Unsigned = Omit<ApprovalToken, 'mac'>;

/** @param key secret, 32 bytes */
export function signToken(token: Unsigned, key: Uint8Array): ApprovalToken {
  return Object.freeze({ ...token, mac: macOf(token, key).toString('hex') });
}

/** @returns false for a token of another key, or of which anything was changed */
export function isGenuine(token: ApprovalToken, key: Uint8Array): boolean {
  const given = Buffer.from(token.mac, 'hex');
  const due = macOf(token, key);
  return given.length === due.length && timingSafeEqual(given, due);
}

/** A list, in this order: no value can be taken for another field's. */
function macOf(token: Unsigned, key: Uint8Array): Buffer {
  const { digest, changes, session, action, approver, channel, policy, nonce, expires, deadline } = token;
  const signed = [digest, changes, session, action, approver, channel, policy, nonce, expires, deadline];
  return createHmac('sha256', key)
    .update(JSON.stringify(['bulkhead approval 1', ...signed]))
    .digest();
}
