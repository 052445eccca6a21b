import type { Clock } from '@bulkhead/protocol';
import { ApprovalTokens } from '../approvals/approval-tokens.ts';
import { openTokenDatabase } from '../approvals/token-database.ts';

/** Tokens of one life of an engine, in memory. */
export function testTokens(clock: Clock): ApprovalTokens {
  let next = 0;
  const nonces = (): string => {
    next += 1;
    return `nonce-${next}`;
  };
  const database = openTokenDatabase(':memory:', clock.now());
  return new ApprovalTokens({ database, key: Buffer.alloc(32, 7), clock, nonces });
}
