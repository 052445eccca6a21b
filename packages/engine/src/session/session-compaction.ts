import { BulkheadError } from '@bulkhead/protocol';
import type { Compactor } from '../run/compactor.ts';
import { eventRecord } from './record-codec.ts';
import type { SessionLog } from './session-log.ts';
import { SessionState } from './session-state.ts';

/** Most of a conversation that is read to be made shorter, in bytes. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Compaction of a session in which nothing runs, because a person asked for it [K4]. */
export class SessionCompaction {
  readonly #log: SessionLog;
  readonly #compactor: Compactor;
  readonly #now: () => number;

  constructor(parts: {
    readonly log: SessionLog;
    readonly compactor: Compactor;
    readonly now: () => number;
  }) {
    this.#log = parts.log;
    this.#compactor = parts.compactor;
    this.#now = parts.now;
  }

  /**
   * @param instructions what to keep above all
   * @throws BulkheadError `not_available` without a compactor
   */
  async run(sessionId: string, instructions: string, signal: AbortSignal): Promise<void> {
    if (!this.#compactor.present) {
      throw new BulkheadError('not_available', `not built yet: ${this.#compactor.name}`);
    }
    const state = new SessionState(this.#log.lastState(sessionId));
    // A crash may have left the session in another state than idle.
    const idle = state.to('idle');
    const leaf = this.#log.store.getSession(sessionId)?.leaf ?? null;
    const { entries } = this.#log.store.recentBranch(sessionId, leaf, MAX_BYTES);
    const begun = { type: 'session_before_compact', reason: 'request', messages: entries.length } as const;
    this.#log.events(sessionId, '', ...idle, ...state.to('thinking'), begun, ...state.to('compacting'));
    try {
      const compaction = await this.#compactor.compact(sessionId, entries, instructions, signal);
      if (compaction === undefined) return;
      const { summary, keptFrom } = compaction;
      const { id, record } = this.#log.mark(leaf, 'compaction', (own) => ({
        summary,
        keptFrom: keptFrom ?? own,
      }));
      const events = [{ type: 'session_compact', entry: id } as const, { type: 'save_point' } as const];
      this.#log.append(sessionId, [record, ...events.map((event) => eventRecord(this.#now(), '', event))], {
        leaf: id,
      });
    } finally {
      this.#log.events(sessionId, '', ...state.to('idle'));
    }
  }
}
