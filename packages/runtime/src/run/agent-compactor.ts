import { create } from '@bufbuild/protobuf';
import { assembleCompaction } from '@bulkhead/agent';
import type { ModelChoice } from '@bulkhead/log/session/accepted-input';
import { compactable } from '@bulkhead/log/session/compactable';
import type { TokenCounter } from '@bulkhead/models';
import { type SideCallServices, sideCall } from '@bulkhead/processes/models/side-call';
import type { AgentPool, AgentProcess } from '@bulkhead/processes/pools/agent-pool';
import { BulkheadError, type ModelClient, type Redaction, type Timers } from '@bulkhead/protocol';
import type { CompactRequest, ModelRequest } from '@bulkhead/protocol/agent';
import { AssistantMessageSchema, StopReason } from '@bulkhead/protocol/chat';
import type { Entry } from '@bulkhead/sessions';
import { checkedCompaction } from './checked-compaction.ts';
import { compactRequest } from './compact-request.ts';
import type { Compaction, CompactionSettings, CompactionWishes, Compactor } from './compactor.ts';
import { countMessages } from './count-messages.ts';

/** How long model and agent may take for one compaction, in milliseconds. */
const TIME_LIMIT_MS = 180_000;
/** How long what is done with the facts may hold a conversation up. */
const FACTS_LIMIT_MS = 15_000;
/** Calls that one compaction may make: facts and summary. */
const MAX_CALLS = 2;
const MAX_FACTS = 20;
const MAX_FACT = 300;

export interface AgentCompactorParts {
  readonly settings: CompactionSettings;
  readonly agents: Pick<AgentPool, 'lease' | 'release'>;
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
   * Keeps durable facts that a compaction found: each at most 300 characters on one line, written by a model from what the session
   * read. Without it none are asked for. What it rejects with is nobody's failure: the conversation is made shorter all the same.
   */
  flushFacts?(sessionId: string, facts: readonly string[], signal: AbortSignal): Promise<void>;
}

/**
 * Has a conversation summarised by the session's agent [K1]. The agent chooses words; what is kept and carried is put together
 * here, from the session's own entries [K2], and where it fails in any way, code alone writes the summary [K3].
 */
export class AgentCompactor implements Compactor {
  readonly settings: CompactionSettings;
  readonly #parts: AgentCompactorParts;

  constructor(parts: AgentCompactorParts) {
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
    const facts: string[] = [];
    const answer =
      model === undefined ? undefined : await this.#ask(sessionId, model, request, facts, signal);
    signal.throwIfAborted();
    const written = assembleCompaction(request, answer);
    const checked = checkedCompaction(written, old, request) ?? checkedCompaction(byRule, old, request);
    if (checked !== undefined) await this.#flush(sessionId, facts, signal);
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

  /** @returns what the agent says that the model said; undefined if nothing came of it: that must never cost a conversation */
  async #ask(
    sessionId: string,
    model: ModelClient,
    request: CompactRequest,
    facts: string[],
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const late = new AbortController();
    using _timer = this.#parts.timers.after(TIME_LIMIT_MS, () => late.abort());
    const either = AbortSignal.any([signal, late.signal]);
    let agent: AgentProcess | undefined;
    const kill = (): void => agent?.kill();
    either.addEventListener('abort', kill, { once: true });
    try {
      agent = await this.#parts.agents.lease(sessionId, either);
      if (either.aborted) kill();
      agent.connection.send({ case: 'compact', value: request });
      return await this.#serve(agent, { sessionId, model, request, facts }, either);
    } catch (error) {
      // What a broken agent may still say is not waited for: the next lease starts another.
      agent?.kill();
      const { code } = BulkheadError.from(error);
      if (code === 'store_failed' || code === 'store_corrupt') throw error;
      return undefined;
    } finally {
      either.removeEventListener('abort', kill);
      if (agent !== undefined) this.#parts.agents.release(agent);
    }
  }

  async #serve(
    agent: AgentProcess,
    work: {
      readonly sessionId: string;
      readonly model: ModelClient;
      readonly request: CompactRequest;
      readonly facts: string[];
    },
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { requestId } = work.request;
    for (let calls = 0; ; ) {
      const event = await agent.next();
      switch (event?.case) {
        case undefined:
          throw new BulkheadError('agent_failed', 'the agent ended during a compaction');
        case 'modelRequest':
          calls += 1;
          if (calls > MAX_CALLS) throw violation('asked for more model calls than a compaction has');
          await this.#answer(agent, work, event.value, signal);
          break;
        case 'memoryFlush':
          work.facts.push(...event.value.facts.slice(0, MAX_FACTS - work.facts.length));
          break;
        case 'compactionResult':
          if (event.value.requestId !== requestId) throw violation('gave the result of another compaction');
          return event.value.summary;
        case 'error':
          if (event.value.runId === '') return undefined;
          throw violation('ended a run during a compaction');
        default:
          throw violation(`sent ${event?.case ?? 'nothing'} during a compaction`);
      }
    }
  }

  async #answer(
    agent: AgentProcess,
    {
      sessionId,
      model,
      request,
    }: { readonly sessionId: string; readonly model: ModelClient; readonly request: CompactRequest },
    { requestId, system, messages, maxOutputTokens, purpose }: ModelRequest,
    signal: AbortSignal,
  ): Promise<void> {
    const most = request.outputTokens;
    const call = {
      system,
      messages,
      tools: [],
      forbidTools: true,
      maxOutputTokens: Math.min(maxOutputTokens || most, most),
    };
    const reason = purpose === 'facts' ? 'facts' : 'compaction';
    try {
      const text = await sideCall(this.#parts.calls, reason, sessionId, model, call, signal);
      const message = create(AssistantMessageSchema, {
        parts: [{ part: { case: 'text', value: { text: this.#parts.redaction.redact(text) } } }],
      });
      const value = { message, stopReason: StopReason.STOP };
      agent.connection.send({ case: 'modelDelta', value: { requestId, delta: { case: 'finished', value } } });
    } catch (error) {
      signal.throwIfAborted();
      const { code, message, retryable } = BulkheadError.from(error);
      if (code === 'store_failed' || code === 'store_corrupt') throw error;
      const value = { code, message, retryable };
      agent.connection.send({ case: 'modelDelta', value: { requestId, delta: { case: 'failed', value } } });
    }
  }

  async #flush(sessionId: string, found: readonly string[], signal: AbortSignal): Promise<void> {
    const { flushFacts, timers, redaction } = this.#parts;
    const facts = found
      .map((fact) =>
        redaction.redact([...fact.replaceAll(/[\p{C}\s]+/gu, ' ').trim()].slice(0, MAX_FACT).join('')),
      )
      .filter((fact) => fact !== '');
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

function violation(what: string): BulkheadError {
  return new BulkheadError('protocol_violation', `the agent ${what}`);
}
