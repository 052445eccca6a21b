import type { ActionFate, FileChange, FileState } from '@bulkhead/protocol';
import type { OpenAction } from './open-actions.ts';

/** What the scratch folders of commands tell of them. */
export interface TransactionFates {
  /** Undefined if there is no entry of it: it was never made, or somebody took it away. */
  fateOf(actionId: string): ActionFate | undefined;
  /** The action's end is in the log: its scratch folder may go. */
  recorded(actionId: string): void;
}

/** What the audit log says of an open action with an effect. */
export type AuditedFate = 'not_started' | 'started' | 'executed';

/**
 * What became of an action that a crash left open, as far as its records tell, and those of its transaction. EXECUTED in the audit log
 * decides: it was written after the effect, and nothing that is missing elsewhere takes it back.
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
  if (intent.transaction)
    return fates?.fateOf(action) ?? (told === 'not_started' ? 'not_executed' : 'unknown');
  return intent.changes.length === 0 ? 'unknown' : undefined;
}

/**
 * What the files say: every one as the action would leave it means that it was done, every one as it found it that
 * it was not. Anything else, a file nobody may read included, is not known [T8].
 *
 * @param changes what the action was foretold to change; none means that nothing can be told
 * @param states of those files, as they are now
 */
export function observedFate(changes: readonly FileChange[], states: readonly FileState[]): ActionFate {
  const now = new Map(states.map(({ path, hash }) => [path, hash]));
  if (changes.length === 0) return 'unknown';
  if (changes.every(({ path, after }) => now.has(path) && now.get(path) === after)) return 'executed';
  if (changes.every(({ path, before }) => now.has(path) && now.get(path) === before)) return 'not_executed';
  return 'unknown';
}
