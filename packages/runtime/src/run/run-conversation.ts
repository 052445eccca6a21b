import { messageTokens, modelView } from '@bulkhead/agent';
import { carriedBy } from '@bulkhead/log/session/compactable';
import { messageBytes, personsWords } from '@bulkhead/log/session/message-view';
import { type RunView, runView } from '@bulkhead/log/session/run-view';
import type { EventUsage, ModelCall } from '@bulkhead/protocol';
import type { Message } from '@bulkhead/protocol/chat';
import { compactionBudget, systemTokens } from './compaction-budget.ts';
import { type CompactionThresholds, thresholdsOf } from './compaction-thresholds.ts';
import { countMessages } from './count-messages.ts';
import type { ModelChain } from './model-chain.ts';
import type { RunJournal } from './run-journal.ts';
import type { RunServices, RunSetting } from './run-setting.ts';

/** More than any tokenizer makes of a token: nothing that fits is left out. */
const BYTES_PER_TOKEN = 8;

/** After one that gained nothing, a conversation must have grown by so much before it is tried again. */
const GROWTH = 1.15;

/** A real tokenizer may find so many times what an estimate by size does, in figures or signs: from there on it is asked. */
const ESTIMATES_MISS = 2;

/**
 * The conversation as the model of a run sees it, and its compaction: before, inside and after an
 * overflow alike [K4].
 */
export class RunConversation {
  readonly #services: Pick<RunServices, 'context' | 'upkeep' | 'mind'>;
  readonly #setting: RunSetting;
  readonly #journal: RunJournal;
  readonly #chain: ModelChain;
  #history: readonly Message[];
  #view: RunView | undefined;
  /** How many of the run's first messages a summary stands for. */
  #summarised = 0;
  /** Tokens of the system part of the last request. */
  #system = 0;
  #tokens = 0;
  /** Whether they are its provider's own count, but for what came since. */
  #counted = false;
  /**
   * The number of answers at the last compaction: until the next answer, the shown text has no
   * count.
   */
  #answersThen = -1;
  #hopelessUpTo = 0;

  constructor(parts: {
    readonly services: Pick<RunServices, 'context' | 'upkeep' | 'mind'>;
    readonly setting: RunSetting;
    readonly journal: RunJournal;
    readonly chain: ModelChain;
  }) {
    this.#services = parts.services;
    this.#setting = parts.setting;
    this.#journal = parts.journal;
    this.#chain = parts.chain;
    this.#history = parts.setting.history;
    this.#see(parts.setting.view);
  }

  /** The conversation before the run, as the model is shown it now. */
  get history(): readonly Message[] {
    return this.#history;
  }

  /** The run so far, without what a summary stands for. */
  get run(): readonly Message[] {
    return this.#journal.messages.slice(this.#summarised);
  }

  /** Tokens of the request that `isCrowded` saw last, counted or estimated. */
  get tokens(): number {
    return this.#tokens;
  }

  /**
   * True if it should be made shorter before a request goes out.
   *
   * @param usage of the run's last answer; undefined before the first
   */
  isCrowded(request: Pick<ModelCall, 'system' | 'tools'>, usage: EventUsage | undefined): boolean {
    const { compactor } = this.#services.upkeep;
    const { counter } = this.#services.mind;
    this.#system = systemTokens(request);
    this.#tokens = this.#count(usage);
    if (!compactor.settings.enabled) return false;
    if (this.#journal.answers === this.#answersThen || this.#tokens < this.#hopelessUpTo) return false;
    const miss = this.#counted || counter === undefined ? 1 : ESTIMATES_MISS;
    return (this.#tokens - this.#system) * miss > this.#mark;
  }

  /**
   * Puts a summary in the place of the older part. The log keeps all of it.
   *
   * @returns false if nothing was gained
   */
  async shorten(reason: 'overflow' | 'threshold', signal: AbortSignal): Promise<boolean> {
    const needless = reason === 'threshold' && !(await this.#isReallyCrowded(signal));
    const gained = !needless && (await this.#shorten(reason, signal));
    this.#answersThen = this.#journal.answers;
    if (!gained) this.#hopelessUpTo = this.#tokens * GROWTH;
    return gained;
  }

  /** Where no provider has counted, a real tokenizer does before anything is made shorter [K6]. */
  async #isReallyCrowded(signal: AbortSignal): Promise<boolean> {
    const { counter } = this.#services.mind;
    if (this.#counted || counter === undefined) return true;
    const counts = await countMessages(this.#shown, counter, signal);
    return counts.reduce((total, tokens) => total + tokens, 0) > this.#mark;
  }

  async #shorten(reason: 'overflow' | 'threshold', signal: AbortSignal): Promise<boolean> {
    const { compactor } = this.#services.upkeep;
    const { log } = this.#services.context;
    const { sessionId, runId, input } = this.#setting;
    const journal = this.#journal;
    const branch = () => log.store.recentBranch(sessionId, journal.place.parent, this.#bytes).entries;
    const entries = branch();
    const wishes = {
      instructions: '',
      budget: this.#budget,
      counted: this.#counted ? Math.max(0, this.#tokens - this.#system) : 0,
      ...(this.#thresholds === undefined ? {} : { keep: this.#thresholds.keep }),
      ownMessages: personsWords(journal.messages),
      choice: input.options,
    };
    const shown = this.#history.length + this.run.length;
    const compaction = await journal.compacting(shown, reason, () =>
      compactor.compact(sessionId, entries, wishes, signal).catch(() => undefined),
    );
    signal.throwIfAborted();
    const { summary = '', asked = [], keptFrom = null, byRule = false } = compaction ?? {};
    // Nothing before the run is shown: then all of the run is.
    const kept = keptFrom ?? journal.place.firstEntry;
    const isThere = keptFrom === null || entries.some(({ id }) => id === keptFrom);
    if (compaction === undefined || kept === undefined || !isThere) return false;
    const before = this.#size;
    journal.compacted({ summary, asked, keptFrom: kept, ...carriedBy(entries) }, byRule);
    const view = runView(branch(), runId);
    this.#history = view.history;
    this.#see(view);
    return this.#size < before;
  }

  #see(view: RunView | undefined): void {
    this.#view = view;
    const shown = view?.ownShown;
    this.#summarised = shown === undefined ? 0 : Math.max(0, this.#journal.messages.length - shown);
  }

  #count(usage: EventUsage | undefined): number {
    const run = this.run;
    const counted = this.#journal.answers === this.#answersThen ? undefined : usage;
    if (counted !== undefined && counted.inputTokens > 0) {
      const last = run.findLastIndex(({ role }) => role.case === 'assistant');
      this.#counted = true;
      return counted.inputTokens + counted.outputTokens + sum(run.slice(last + 1), messageTokens);
    }
    const before = this.#view?.counted ?? 0;
    this.#counted = before > 0;
    if (before > 0) return before + sum([...(this.#view?.uncounted ?? []), ...run], messageTokens);
    return this.#system + sum(this.#shown, messageTokens);
  }

  get #thresholds(): CompactionThresholds | undefined {
    const { settings } = this.#services.upkeep.compactor;
    return settings === undefined ? undefined : thresholdsOf(settings, this.#chain.current.name);
  }

  /** Tokens of a conversation from which on it is made shorter. */
  get #mark(): number {
    return (this.#thresholds?.at ?? 1) * this.#budget;
  }

  get #budget(): number {
    return compactionBudget(this.#chain.current.contextWindow, this.#system);
  }

  get #bytes(): number {
    return this.#chain.current.contextWindow * BYTES_PER_TOKEN;
  }

  /** As the model will see it: old results as one line each. */
  get #shown(): readonly Message[] {
    return modelView([...this.#history, ...this.run], undefined, this.#chain.current.contextWindow);
  }

  get #size(): number {
    return sum([...this.#history, ...this.run], messageBytes);
  }
}

function sum(messages: readonly Message[], sizeOf: (message: Message) => number): number {
  return messages.reduce((total, message) => total + sizeOf(message), 0);
}
