import type { Clock } from '@bulkhead/protocol';
import { memoryTables } from '@bulkhead/sessions/testing';
import { ApprovalTokens } from '../approvals/approval-tokens.ts';
import { createTokenTable } from '../approvals/token-table.ts';

/** Tokens of one engine process, in memory. */
export function testTokens(clock: Clock): ApprovalTokens {
  let next = 0;
  const nonces = (): string => {
    next += 1;
    return `nonce-${next}`;
  };
  const database = createTokenTable(memoryTables(), clock.now());
  return new ApprovalTokens({ database, key: Buffer.alloc(32, 7), clock, nonces });
}
