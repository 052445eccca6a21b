import { randomBytes, randomUUID } from 'node:crypto';
import { ApprovalTokens } from '@bulkhead/actions/approvals/approval-tokens';
import { openTokenDatabase } from '@bulkhead/actions/approvals/token-database';
import type { Clock, HomeLayout } from '@bulkhead/protocol';

/**
 * The approvals of this life of the engine, under a key of its own.
 * @throws BulkheadError `store_corrupt`
 */
export function openTokens(layout: Pick<HomeLayout, 'approvals'>, clock: Clock) {
  const database = openTokenDatabase(layout.approvals, clock.now());
  const tokens = new ApprovalTokens({ database, key: randomBytes(32), clock, nonces: randomUUID });
  return { tokens, close: () => database[Symbol.dispose]() };
}
