import {
  assembleCompaction,
  type CompactionQuestion,
  type CompactRequest,
  compactConversation,
} from '@bulkhead/agent';
import type { ModelChoice } from '@bulkhead/log/session/accepted-input';
import { compactable } from '@bulkhead/log/session/compactable';
import type { TokenCounter } from '@bulkhead/models';
import { type SideCallServices, sideCall } from '@bulkhead/processes/models/side-call';
import { BulkheadError, type ModelClient, type Redaction, type Timers } from '@bulkhead/protocol';
import type { Entry } from '@bulkhead/sessions';
import { checkedCompaction } from './checked-compaction.ts';
import { compactRequest } from './compact-request.ts';
import type { Compaction, CompactionSettings, CompactionWishes, Compactor } from './compactor.ts';
import { countMessages } from './count-messages.ts';

/** How long a model may take for one compaction, in milliseconds. */
const TIME_LIMIT_MS = 180_000;
/** How long what is done with the facts may hold a conversation up. */
const FACTS_LIMIT_MS = 15_000;

export interface ModelCompactorParts {
  readonly settings: CompactionSettings;
  /** @throws BulkheadError if there is no model: then the summary is made by rule */
  model(choice: ModelChoice): ModelClient;
  readonly calls: SideCallServices;
  readonly redaction: Redaction;
  readonly timers: Timers;
  /** For conversations that no provider has counted; without it their size is estimated. */
  readonly counter?: TokenCounter;
  /** Whether the session must leave nothing behind: then no facts are asked for. */
  keepsFacts(sessionId: string): boolean;
  /**
   * Keeps durable facts that a compaction found: each at most 300 characters on one line, written
   * by a model from the session's content. Without it the model is not asked for any. Its
   * rejections are ignored: the conversation is made shorter all the same.
   */
  flushFacts?(sessionId: string, facts: readonly string[], signal: AbortSignal): Promise<void>;
}

/**
 * Has a conversation summarised by a model [K1]. The model chooses words; what is kept and carried is put together by code, from
 * the session's own entries [K2], and where the model fails in any way, code alone writes the summary [K3].
 */
export class ModelCompactor implements Compactor {
  readonly settings: CompactionSettings;
  readonly #parts: ModelCompactorParts;

  constructor(parts: ModelCompactorParts) {
    this.settings = parts.settings;
    this.#parts = parts;
  }

  async compact(
    sessionId: string,
    entries: readonly Entry[],
    wishes: CompactionWishes,
    signal: AbortSignal,
  ): Promise<Compaction | undefined> {
    const old = compactable(entries);
    const model = this.#model(wishes.choice);
    const counter = wishes.counted > 0 ? undefined : this.#parts.counter;
    const request = compactRequest(old, wishes, {
      keep: wishes.keep ?? this.settings.keep,
      tokens: await countMessages(old.messages, counter, signal),
      window: model?.contextWindow ?? 0,
      facts: this.#parts.flushFacts !== undefined && this.#parts.keepsFacts(sessionId),
    });
    const byRule = assembleCompaction(request);
    if (byRule === undefined) return undefined;
    const said = model === undefined ? undefined : await this.#ask(sessionId, model, request, signal);
    signal.throwIfAborted();
    const written = assembleCompaction(request, said?.summary);
    const checked = checkedCompaction(written, old, request) ?? checkedCompaction(byRule, old, request);
    if (checked !== undefined) await this.#flush(sessionId, said?.facts ?? [], signal);
    signal.throwIfAborted();
    return checked;
  }

  #model(choice: ModelChoice): ModelClient | undefined {
    try {
      return this.#parts.model(choice);
    } catch {
      return undefined;
    }
  }

  /** @returns what the model said; undefined if nothing came of it: that must never cost a conversation */
  async #ask(sessionId: string, model: ModelClient, request: CompactRequest, signal: AbortSignal) {
    const late = new AbortController();
    using _timer = this.#parts.timers.after(TIME_LIMIT_MS, () => late.abort());
    const either = AbortSignal.any([signal, late.signal]);
    const ask = async ({ purpose, system, messages }: CompactionQuestion): Promise<string> => {
      either.throwIfAborted();
      const call = {
        system,
        messages,
        tools: [],
        forbidTools: true,
        maxOutputTokens: request.outputTokens,
      };
      const reason = purpose === 'facts' ? 'facts' : 'compaction';
      const text = await sideCall(this.#parts.calls, reason, sessionId, model, call, either);
      return this.#parts.redaction.redact(text);
    };
    try {
      return await compactConversation(request, ask);
    } catch (error) {
      const { code } = BulkheadError.from(error);
      if (code === 'store_failed' || code === 'store_corrupt') throw error;
      return undefined;
    }
  }

  async #flush(sessionId: string, found: readonly string[], signal: AbortSignal): Promise<void> {
    const { flushFacts, timers, redaction } = this.#parts;
    const facts = found.map((fact) => redaction.redact(fact));
    if (flushFacts === undefined || facts.length === 0) return;
    const late = new AbortController();
    const { promise, resolve } = Promise.withResolvers<void>();
    using _timer = timers.after(FACTS_LIMIT_MS, () => {
      late.abort();
      resolve();
    });
    const kept = flushFacts(sessionId, facts, AbortSignal.any([signal, late.signal])).catch(() => {});
    await Promise.race([kept, promise]);
  }
}
