import { messageTokens } from '@bulkhead/agent';
import { BulkheadError, faultPoint } from '@bulkhead/protocol';
import { CONFIGURED } from '../models/model-choice.ts';
import { carriedBy } from '../run/compactable.ts';
import { compactionBudget } from '../run/compaction-budget.ts';
import { compactEvent } from '../run/compaction-record.ts';
import type { Compactor } from '../run/compactor.ts';
import { runView } from '../run/run-view.ts';
import { eventRecord } from './record-codec.ts';
import type { SessionLog } from './session-log.ts';
import { SessionState } from './session-state.ts';

/** Most of a conversation that is read to be made shorter, in bytes. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Tokens supposed of the system part of a session in which nothing runs. */
const USUAL_SYSTEM = 2_000;
const USUAL_WINDOW = 128_000;

/** What became of a compaction. */
export interface CompactionOutcome {
  /** The entry that holds the summary. */
  readonly entry: string;
  /** Where the conversation stood before: going back there takes the compaction back; null for the start. */
  readonly before: string | null;
  readonly byRule: boolean;
}

/** Compaction of a session in which nothing runs: because a person asked for it, or after a run [K4]. */
export class SessionCompaction {
  readonly #log: SessionLog;
  readonly #compactor: Compactor;
  readonly #now: () => number;
  readonly #contextWindow: () => number;

  constructor(parts: {
    readonly log: SessionLog;
    readonly compactor: Compactor;
    readonly now: () => number;
    /** Of the configured model, in tokens. */
    readonly contextWindow?: () => number;
  }) {
    this.#log = parts.log;
    this.#compactor = parts.compactor;
    this.#now = parts.now;
    this.#contextWindow = parts.contextWindow ?? (() => USUAL_WINDOW);
  }

  /** True if the conversation is so long that the next run would begin by making it shorter. */
  isDue(sessionId: string): boolean {
    const { present, settings } = this.#compactor;
    if (!present || settings?.enabled !== true) return false;
    const budget = this.#budget;
    // No more is read than it takes to know.
    const leaf = this.#log.store.getSession(sessionId)?.leaf ?? null;
    const { entries } = this.#log.store.recentBranch(sessionId, leaf, budget * 8);
    const { counted, uncounted, history } = runView(entries, '');
    const said = counted > 0 ? uncounted : history;
    const tokens = said.reduce((sum, message) => sum + messageTokens(message), counted);
    return tokens - (counted > 0 ? USUAL_SYSTEM : 0) > settings.at * budget;
  }

  /**
   * @param instructions what to keep above all
   * @returns undefined if there was nothing to gain
   * @throws BulkheadError `not_available` without a compactor
   */
  async run(
    sessionId: string,
    instructions: string,
    signal: AbortSignal,
    reason: 'request' | 'after_run' = 'request',
  ): Promise<CompactionOutcome | undefined> {
    if (!this.#compactor.present) {
      throw new BulkheadError('not_available', `not built yet: ${this.#compactor.name}`);
    }
    const state = new SessionState(this.#log.lastState(sessionId));
    // A crash may have left the session in another state than idle.
    const idle = state.to('idle');
    const leaf = this.#log.store.getSession(sessionId)?.leaf ?? null;
    const { entries } = this.#log.store.recentBranch(sessionId, leaf, MAX_BYTES);
    const begun = { type: 'session_before_compact', reason, messages: entries.length } as const;
    this.#log.events(sessionId, '', ...idle, ...state.to('thinking'), begun, ...state.to('compacting'));
    faultPoint('compaction.begun');
    try {
      const wishes = { instructions, budget: this.#budget, counted: 0, ownMessages: [], choice: CONFIGURED };
      const compaction = await this.#compactor.compact(sessionId, entries, wishes, signal);
      if (compaction === undefined) return undefined;
      const { summary, keptFrom, byRule = false } = compaction;
      const { id, record } = this.#log.mark(leaf, 'compaction', (own) => ({
        summary,
        keptFrom: keptFrom ?? own,
        ...carriedBy(entries),
      }));
      const events = [compactEvent(id, byRule), { type: 'save_point' } as const];
      faultPoint('compaction.answered');
      this.#log.append(sessionId, [record, ...events.map((event) => eventRecord(this.#now(), '', event))], {
        leaf: id,
      });
      faultPoint('compaction.recorded');
      return { entry: id, before: leaf, byRule };
    } finally {
      this.#log.events(sessionId, '', ...state.to('idle'));
    }
  }

  get #budget(): number {
    return compactionBudget(this.#window, USUAL_SYSTEM);
  }

  get #window(): number {
    try {
      return this.#contextWindow();
    } catch {
      // Without a usable model there is no window to fit into; what is asked for is done all the same.
      return USUAL_WINDOW;
    }
  }
}
