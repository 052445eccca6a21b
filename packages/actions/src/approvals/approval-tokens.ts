import type { Clock } from '@bulkhead/protocol';
import { type ApprovalToken, isGenuine, signToken, type TokenClaims } from './approval-token.ts';
import type { TokenTable } from './token-table.ts';

/** How long an action may take from its yes to its beginning, in milliseconds: time to keep what it changes. */
const LIFETIME_MS = 300_000;

/** What became of a token that was shown: only `spent` lets anything happen. */
export type TokenUse = 'spent' | 'forged' | 'about something else' | 'expired' | 'used before';

/** What is about to happen. */
export type TokenTarget = Pick<TokenClaims, 'digest' | 'changes' | 'session' | 'action'>;

export interface ApprovalTokensParts {
  readonly database: TokenTable;
  /**
   * Secret, 32 bytes, of this life of the engine alone: it is on no disk, so nobody can copy it, and what a crash left
   * unused is void (FR6).
   */
  readonly key: Uint8Array;
  readonly clock: Clock;
  /** Never the same twice. */
  nonces(): string;
}

/** What the pipeline needs of tokens. */
export type TokenMint = Pick<ApprovalTokens, 'mint' | 'spend'>;

/** Mints tokens for what may be carried out, and takes each of them once, for exactly that. */
export class ApprovalTokens {
  readonly #parts: ApprovalTokensParts;

  constructor(parts: ApprovalTokensParts) {
    this.#parts = parts;
  }

  /** @throws BulkheadError `store_failed`: nothing may be carried out then */
  mint(claims: TokenClaims): ApprovalToken {
    const { database, key, clock, nonces } = this.#parts;
    const nonce = nonces();
    const expires = clock.now() + LIFETIME_MS;
    database.add(nonce, expires);
    return signToken({ ...claims, nonce, expires, deadline: clock.monotonic() + LIFETIME_MS }, key);
  }

  /**
   * Uses a token up.
   * @returns `spent` if `target` may be carried out now, this once
   * @throws BulkheadError `store_failed`: it may not, and the token is not to be tried again
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
