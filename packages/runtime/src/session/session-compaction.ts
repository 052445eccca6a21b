import { messageTokens, modelView } from '@bulkhead/agent';
import type { ModelChoice } from '@bulkhead/log/session/accepted-input';
import { carriedBy } from '@bulkhead/log/session/compactable';
import { compactEvent } from '@bulkhead/log/session/compaction-record';
import { lastRequest } from '@bulkhead/log/session/last-request';
import { eventRecord } from '@bulkhead/log/session/record-codec';
import { type RunView, runView } from '@bulkhead/log/session/run-view';
import type { SessionLog } from '@bulkhead/log/session/session-log';
import { SessionState } from '@bulkhead/log/session/session-state';
import type { TokenCounter } from '@bulkhead/models';
import { faultPoint, type ModelClient } from '@bulkhead/protocol';
import type { Message } from '@bulkhead/protocol/chat';
import { compactionBudget } from '../run/compaction-budget.ts';
import { thresholdsOf } from '../run/compaction-thresholds.ts';
import type { CompactionSettings, Compactor } from '../run/compactor.ts';
import { countMessages } from '../run/count-messages.ts';

/** Most of a conversation that is read to be made shorter, in bytes. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Supposed of the system part of a session of which no request is known, and of a model that can't be used, in tokens. */
const USUAL_SYSTEM = 2_000;
const USUAL_WINDOW = 128_000;
/** Without settings of its own, a compactor keeps as much. */
const USUAL_SHARES: CompactionSettings = { enabled: false, at: 0.7, keep: 0.3 };

type ConversationModel = Pick<ModelClient, 'name' | 'contextWindow'>;

/** The outcome of a compaction. */
export interface CompactionOutcome {
  /** The entry that holds the summary. */
  readonly entry: string;
  /** Where the conversation stood before: going back there takes the compaction back; null for the start. */
  readonly before: string | null;
  readonly byRule: boolean;
  /** A model wrote the summary, and received the instructions; false without instructions. */
  readonly focusUsed: boolean;
}

/** Of what a session has room for while nothing runs. */
interface SessionRoom {
  readonly choice: ModelChoice;
  readonly contextWindow: number;
  /** Tokens of system part and tools. */
  readonly system: number;
  /** Tokens of a conversation, at most. */
  readonly budget: number;
  /** Tokens of a conversation that is made shorter. */
  readonly mark: number;
  /** Share of the budget that is kept. */
  readonly keep: number;
}

/** Compaction of a session in which nothing runs: because a person asked for it, or after a run [K4]. */
export class SessionCompaction {
  readonly #log: SessionLog;
  readonly #compactor: Compactor;
  readonly #now: () => number;
  readonly #model: (choice: ModelChoice) => ConversationModel;
  readonly #counter: TokenCounter | undefined;

  constructor(parts: {
    readonly log: SessionLog;
    readonly compactor: Compactor;
    readonly now: () => number;
    /** The model of a conversation. @throws BulkheadError if it can't be used */
    model(choice: ModelChoice): ConversationModel;
    /** For conversations that no provider has counted; without it their size is estimated. */
    readonly counter?: TokenCounter | undefined;
  }) {
    this.#log = parts.log;
    this.#compactor = parts.compactor;
    this.#now = parts.now;
    this.#model = (choice) => parts.model(choice);
    this.#counter = parts.counter;
  }

  /** True if the conversation is so long that the next run would begin by making it shorter. */
  isDue(sessionId: string): boolean {
    if (!this.#compactor.settings.enabled) return false;
    const room = this.#room(sessionId);
    // No more is read than it takes to know.
    const leaf = this.#log.store.getSession(sessionId)?.leaf ?? null;
    const view = runView(this.#log.store.recentBranch(sessionId, leaf, room.budget * 8).entries, '');
    const counted = countedBy(view, room.system);
    return (counted > 0 ? counted : estimateOf(shown(view, room))) > room.mark;
  }

  /**
   * @param instructions what to keep above all
   * @returns undefined if there was nothing to gain
   */
  async run(
    sessionId: string,
    instructions: string,
    signal: AbortSignal,
    reason: 'request' | 'after_run' = 'request',
  ): Promise<CompactionOutcome | undefined> {
    const room = this.#room(sessionId);
    const state = new SessionState(this.#log.lastState(sessionId));
    // A crash may have left the session in another state than idle.
    const idle = state.to('idle');
    const leaf = this.#log.store.getSession(sessionId)?.leaf ?? null;
    const { entries } = this.#log.store.recentBranch(sessionId, leaf, MAX_BYTES);
    const view = runView(entries, '');
    const counted = countedBy(view, room.system);
    if (reason === 'after_run' && counted === 0 && !(await this.#isLong(view, room, signal)))
      return undefined;
    const begun = { type: 'session_before_compact', reason, messages: entries.length } as const;
    this.#log.events(sessionId, '', ...idle, ...state.to('thinking'), begun, ...state.to('compacting'));
    faultPoint('compaction.begun');
    try {
      const { budget, keep, choice } = room;
      const wishes = { instructions, budget, keep, counted, ownMessages: [], choice };
      const compaction = await this.#compactor.compact(sessionId, entries, wishes, signal);
      if (compaction === undefined) return undefined;
      const { summary, asked = [], keptFrom, byRule = false } = compaction;
      const { id, record } = this.#log.mark(leaf, (own) => ({
        type: 'compaction',
        body: { summary, asked, keptFrom: keptFrom ?? own, ...carriedBy(entries) },
      }));
      const events = [compactEvent(id, byRule), { type: 'save_point' } as const];
      faultPoint('compaction.answered');
      this.#log.append(sessionId, [record, ...events.map((event) => eventRecord(this.#now(), '', event))], {
        leaf: id,
      });
      faultPoint('compaction.recorded');
      return { entry: id, before: leaf, byRule, focusUsed: instructions.trim() !== '' && !byRule };
    } finally {
      this.#log.events(sessionId, '', ...state.to('idle'));
    }
  }

  /** An estimate is not enough to compact a conversation without a request [K6]. */
  async #isLong(view: RunView, room: SessionRoom, signal: AbortSignal): Promise<boolean> {
    if (this.#counter === undefined) return true;
    const counts = await countMessages(shown(view, room), this.#counter, signal);
    return counts.reduce((sum, tokens) => sum + tokens, 0) > room.mark;
  }

  #room(sessionId: string): SessionRoom {
    const { choice, systemTokens: system = USUAL_SYSTEM } = lastRequest(this.#log, sessionId);
    const { name, contextWindow } = this.#modelOf(choice);
    const { at, keep } = thresholdsOf(this.#compactor.settings ?? USUAL_SHARES, name);
    const budget = compactionBudget(contextWindow, system);
    return { choice, contextWindow, system, budget, mark: at * budget, keep };
  }

  #modelOf(choice: ModelChoice): ConversationModel {
    try {
      return this.#model(choice);
    } catch {
      // Without a usable model there is no window to fit into; what is asked for is done all the same.
      return { name: '', contextWindow: USUAL_WINDOW };
    }
  }
}

/** Tokens of a conversation by its provider's count and an estimate of what came since; 0 if it has given none. */
function countedBy({ counted, uncounted }: RunView, system: number): number {
  return counted === 0 ? 0 : Math.max(1, counted - system + estimateOf(uncounted));
}

/** As an agent shows it: old results as one line each. */
function shown({ history }: RunView, { contextWindow }: SessionRoom): readonly Message[] {
  return modelView(history, undefined, contextWindow);
}

function estimateOf(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + messageTokens(message), 0);
}
