import type { AuditedFate, OpenAction } from '@bulkhead/log/agreement/open-actions';
import type { ActionFate } from '@bulkhead/protocol';
import type { TransactionFates } from '../run/run-setting.ts';

/**
 * What became of an action that a crash left open, as far as its records tell, and those of its transaction. EXECUTED in the audit log
 * decides: it was written after the effect, and nothing that is missing elsewhere takes it back. A transaction of which nothing is left
 * although it may have had an end (it failed, or the audit log does not tell) may have been kept.
 *
 * @param fates absent, no transaction's fate is known
 * @param audited of an action that is not in it, the audit log tells nothing
 * @returns undefined if its files must be looked at
 */
export function recordedFate(
  { action, intent, intentsKept, approval, lost }: OpenAction,
  fates: TransactionFates | undefined,
  audited: ReadonlyMap<string, AuditedFate> = new Map(),
): ActionFate | undefined {
  const told = audited.get(action);
  if (intent === undefined) {
    if (lost || told !== undefined) return 'unknown';
    // An action whose question nobody has answered waits, in every version.
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
