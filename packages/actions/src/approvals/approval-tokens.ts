import type { Clock } from '@bulkhead/protocol';
import { type ApprovalToken, isGenuine, signToken, type TokenClaims } from './approval-token.ts';
import type { TokenTable } from './token-table.ts';

/**
 * How long an action may take from approval to start, in milliseconds: time to snapshot the files
 * that it changes.
 */
const LIFETIME_MS = 300_000;

/** The result of using a token: only `spent` allows an action. */
export type TokenUse = 'spent' | 'forged' | 'about something else' | 'expired' | 'used before';

/** The action that is about to start. */
export type TokenTarget = Pick<TokenClaims, 'digest' | 'changes' | 'session' | 'action'>;

export interface ApprovalTokensParts {
  readonly database: TokenTable;
  /**
   * Secret, 32 bytes, of this engine process only. It is never stored, so it cannot be copied, and
   * a crash voids unused tokens (FR6).
   */
  readonly key: Uint8Array;
  readonly clock: Clock;
  /** Returns a new value each time. */
  nonces(): string;
}

/** The part that the pipeline uses. */
export type TokenMint = Pick<ApprovalTokens, 'mint' | 'spend'>;

/** Mints tokens for approved actions, and accepts each token once, for exactly its action. */
export class ApprovalTokens {
  readonly #parts: ApprovalTokensParts;

  constructor(parts: ApprovalTokensParts) {
    this.#parts = parts;
  }

  /** @throws BulkheadError `store_failed`: nothing may be executed then */
  mint(claims: TokenClaims): ApprovalToken {
    const { database, key, clock, nonces } = this.#parts;
    const nonce = nonces();
    const expires = clock.now() + LIFETIME_MS;
    database.add(nonce, expires);
    return signToken({ ...claims, nonce, expires, deadline: clock.monotonic() + LIFETIME_MS }, key);
  }

  /**
   * Uses up a token.
   * @returns `spent` if `target` may be executed now, once
   * @throws BulkheadError `store_failed`: it may not, and the token must not be tried again
   */
  spend(token: ApprovalToken, target: TokenTarget): TokenUse {
    const { database, key, clock } = this.#parts;
    if (!isGenuine(token, key)) return 'forged';
    if (!isAbout(token, target)) return 'about something else';
    const now = clock.now();
    if (now >= token.expires || clock.monotonic() >= token.deadline) return 'expired';
    return database.use(token.nonce, now) ? 'spent' : 'used before';
  }
}

function isAbout(token: ApprovalToken, { digest, changes, session, action }: TokenTarget): boolean {
  return (
    token.digest === digest &&
    token.changes === changes &&
    token.session === session &&
    token.action === action
  );
}
