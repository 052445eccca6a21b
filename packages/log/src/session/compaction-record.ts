import type { DurableEventBody } from '@bulkhead/protocol';
import type { CompactionBody } from '@bulkhead/protocol/records';

/** The body of a compaction that is written now: nothing of it is left out. */
export type WholeCompaction = Required<CompactionBody>;

/** @param byRule no model wrote the summary: watchers should know [K3] */
export function compactEvent(entry: string, byRule: boolean): DurableEventBody {
  return byRule ? { type: 'session_compact', entry, byRule: true } : { type: 'session_compact', entry };
}
