import type { AuditedFate, OpenAction } from '@bulkhead/log/agreement/open-actions';
import type { ActionFate } from '@bulkhead/protocol';
import type { TransactionFates } from '../run/run-setting.ts';

/**
 * The fate of an action that a crash left open, from its own records and those of its transaction.
 * EXECUTED in the audit log decides: it was written after the effect, and no missing record
 * elsewhere revokes it. A transaction without traces that may have ended (it failed, or the audit
 * log does not tell) may have been kept.
 *
 * @param fates absent if no transaction's fate is known
 * @param audited does not hold actions that the audit log does not mention
 * @returns undefined if its files must be examined
 */
export function recordedFate(
  { action, intent, intentsKept, approval, lost }: OpenAction,
  fates: TransactionFates | undefined,
  audited: ReadonlyMap<string, AuditedFate> = new Map(),
): ActionFate | undefined {
  const told = audited.get(action);
  if (intent === undefined) {
    if (lost || told !== undefined) return 'unknown';
    // An action with a pending question waits, in every version.
    return intentsKept || approval !== undefined ? 'not_executed' : 'unknown';
  }
  if (intent.effect === 'pure') return 'not_executed';
  if (told === 'executed') return 'executed';
  if (intent.transaction) {
    const hadNoEnd = told === 'not_started' || told === 'started';
    return fates?.fateOf(action) ?? (hadNoEnd ? 'not_executed' : 'unknown');
  }
  return intent.changes.length === 0 ? 'unknown' : undefined;
}
