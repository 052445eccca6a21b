import {
  type Action,
  describeError,
  type FileChange,
  type ToolHostCall,
  type Verdict,
} from '@bulkhead/protocol';
import type { ApprovalToken } from '../approvals/approval-token.ts';
import type { TokenMint, TokenTarget } from '../approvals/approval-tokens.ts';
import type { ApprovalOutcome } from '../approvals/approver.ts';
import { callDigest } from './host-call.ts';
import { Refusal } from './refusal.ts';
import { textDigest } from './text-digest.ts';

/** What may be carried out: the changes that were allowed, and the token that says so, to be used once. */
export interface Authorisation {
  readonly changes: readonly FileChange[];
  readonly token: ApprovalToken;
}

/** Who let an action happen; where nobody had to be asked, the policy did. */
export type Authority = 'policy' | Pick<ApprovalOutcome, 'by' | 'approver'>;

/** What is known of what an action will change, as one value: the same for the same changes. SHA-256, hex. */
export function changesDigest(changes: readonly FileChange[]): string {
  return textDigest(
    JSON.stringify(changes.map(({ path, before, after }) => [path, before ?? null, after ?? null])),
  );
}

/**
 * @param changes digest of what was shown or foretold
 * @param verdict that of the action: its policy is named in the token
 * @throws Refusal if it can't be recorded
 */
export function authorise(
  tokens: TokenMint,
  { hash, sessionId, id }: Action,
  changes: string,
  authority: Authority,
  verdict: Pick<Verdict, 'policy'>,
): ApprovalToken {
  return recorded(() =>
    tokens.mint({
      digest: hash,
      changes,
      session: sessionId,
      action: id,
      ...approverOf(authority),
      policy: verdict.policy ?? 'not asked',
    }),
  );
}

/**
 * Uses up the token of a call, just before it is carried out. The digest is that of the very bytes that go to the executor (FG3).
 *
 * @throws Refusal if the token is not for this call, or is no longer good
 */
export function spendFor(tokens: TokenMint, { token, changes }: Authorisation, call: ToolHostCall): void {
  const { sessionId: session, actionId: action } = call;
  spend(tokens, token, { digest: callDigest(call), changes: changesDigest(changes), session, action });
}

/** @throws Refusal if `token` doesn't allow just this */
export function spend(tokens: TokenMint, token: ApprovalToken, target: TokenTarget): void {
  const use = recorded(() => tokens.spend(token, target));
  if (use !== 'spent') throw new Refusal(`Its approval is ${use}. Nothing was done.`, true);
}

function approverOf(authority: Authority): { readonly approver: string; readonly channel: string } {
  if (authority === 'policy') return { approver: 'policy', channel: 'engine' };
  const { by, approver } = authority;
  return approver === undefined
    ? { approver: by, channel: 'engine' }
    : { approver: approver.id, channel: approver.channel };
}

function recorded<Result>(write: () => Result): Result {
  try {
    return write();
  } catch (error) {
    throw new Refusal(
      `Its approval could not be recorded (${describeError(error)}). Nothing was done.`,
      false,
    );
  }
}
