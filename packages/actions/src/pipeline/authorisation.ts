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

/**
 * Permission for one execution: the allowed changes, and the token that proves it, to be used once.
 */
export interface Authorisation {
  readonly changes: readonly FileChange[];
  readonly token: ApprovalToken;
}

/** Who allowed an action; the policy, if no question was needed. */
export type Authority = 'policy' | Pick<ApprovalOutcome, 'by' | 'approver'>;

/** Digest of the known changes of an action: equal for equal changes. SHA-256, hex. */
export function changesDigest(changes: readonly FileChange[]): string {
  return textDigest(
    JSON.stringify(changes.map(({ path, before, after }) => [path, before ?? null, after ?? null])),
  );
}

/**
 * @param changes digest of the shown or planned changes
 * @param verdict of the action: the token names its policy
 * @throws Refusal if it cannot be recorded
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
 * Uses up the token of a call, just before execution. The digest is that of the exact bytes that
 * the executor receives (FG3).
 *
 * @throws Refusal if the token is for another call, or no longer valid
 */
export function spendFor(tokens: TokenMint, { token, changes }: Authorisation, call: ToolHostCall): void {
  const { sessionId: session, actionId: action } = call;
  spend(tokens, token, { digest: callDigest(call), changes: changesDigest(changes), session, action });
}

/** @throws Refusal if `token` does not allow exactly this */
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
