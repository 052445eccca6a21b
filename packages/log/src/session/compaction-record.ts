import type { DurableEventBody } from '@bulkhead/protocol';

/** The body of a compaction's entry. */
export interface CompactionBody {
  readonly summary: string;
  /** The person's words that it would else stand for: no data, as the summary is [C6]. */
  readonly asked: readonly string[];
  /** The entry shown first after it; its own id if none is. */
  readonly keptFrom: string;
  /** Rules in force when it was made, word for word [K7]. */
  readonly rules: readonly string[];
  /** Groups of tools loaded until then. */
  readonly groups: readonly string[];
}

/** @param byRule no model wrote the summary: whoever watches should know [K3] */
export function compactEvent(entry: string, byRule: boolean): DurableEventBody {
  return byRule ? { type: 'session_compact', entry, byRule: true } : { type: 'session_compact', entry };
}
