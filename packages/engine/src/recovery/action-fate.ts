import type { ActionFate } from '@bulkhead/protocol';
import type { TransactionFates } from '../run/run-setting.ts';
import type { OpenAction } from './open-actions.ts';

/**
 * What became of an action that a crash left open, as far as its records tell, and those of its transaction.
 *
 * @param fates absent, no transaction's fate is known
 * @param audited actions that the audit log names as begun, though their session's log has no intent
 * @returns undefined if its files must be looked at
 */
export function recordedFate(
  { action, intent, intentsKept, approval, lost }: OpenAction,
  fates: TransactionFates | undefined,
  audited: ReadonlySet<string> = new Set(),
): ActionFate | undefined {
  if (intent === undefined) {
    if (lost || audited.has(action)) return 'unknown';
    // An action whose question nobody has answered waits, in every version.
    return intentsKept || approval !== undefined ? 'not_executed' : 'unknown';
  }
  if (intent.effect === 'pure') return 'not_executed';
  if (intent.transaction) return fates?.fateOf(action) ?? 'unknown';
  return intent.changes.length === 0 ? 'unknown' : undefined;
}
