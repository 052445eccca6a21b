import { create } from '@bufbuild/protobuf';
import { type AgentEvent, thoughtsOf } from '@bulkhead/agent';
import { BulkheadError, errorCode } from '@bulkhead/protocol';
import { ProcessRequestSchema, type ResponseComplete, RunEnd } from '@bulkhead/protocol/agent';
import type { AgentProcess } from '../pools/agent-pool.ts';
import { inCallOrder } from '../session/message-view.ts';
import type { RunConclusion } from './end-of-run.ts';
import { eventThoughts } from './event-thoughts.ts';
import { ModelCalls } from './model-calls.ts';
import { ownAnswer } from './own-answer.ts';
import type { RunJournal } from './run-journal.ts';
import type { RunServices, RunSetting } from './run-setting.ts';
import { RunTasks } from './run-tasks.ts';
import { ToolCalls } from './tool-calls.ts';
import { groupList } from './tool-loading.ts';

/** How long an agent may take to end a run that is over before it is killed [T9]. */
const END_GRACE_MS = 300;

/** Each death may have cost a model call: a run doesn't go on for ever by dying slowly. */
const MAX_DEATHS = 5;

/** What ended one agent's work on the run. */
type AttemptEnd =
  | { readonly kind: 'complete'; readonly complete: ResponseComplete }
  /** The agent is gone, or of no more use. */
  | { readonly kind: 'lost' };

/**
 * One run: gives it to an agent, serves what the agent asks for, and goes on in another agent if that one
 * dies. Decisions come from the engine's own record of the run, never from what an agent says happened.
 */
export class AgentRun {
  readonly #services: RunServices;
  readonly #setting: RunSetting;
  readonly #journal: RunJournal;
  readonly #models: ModelCalls;
  readonly #calls: ToolCalls;
  readonly #tasks: RunTasks;
  #agent: AgentProcess | undefined;
  #killTimer: NodeJS.Timeout | undefined;

  constructor(services: RunServices, setting: RunSetting, journal: RunJournal) {
    this.#services = services;
    this.#setting = setting;
    this.#journal = journal;
    this.#models = new ModelCalls(setting, journal);
    this.#calls = new ToolCalls(services, setting, journal);
    this.#tasks = new RunTasks(() => this.#killSoon());
  }

  /** Runs to the end and returns it; the journal is left well formed whatever happens. Never rejects. */
  async execute(signal: AbortSignal): Promise<RunConclusion> {
    try {
      return this.#concluded(await this.#untilComplete(signal), signal);
    } catch (error) {
      return this.#failed(error, signal);
    }
  }

  async #untilComplete(signal: AbortSignal): Promise<ResponseComplete> {
    const { agents } = this.#services;
    for (let deaths = 0; deaths <= MAX_DEATHS; deaths += 1) {
      const agent = await agents.lease(this.#setting.sessionId, signal);
      const end = await this.#attempt(agent, signal);
      if (this.#tasks.failure !== undefined) throw this.#tasks.failure;
      if (end.kind === 'complete') return end.complete;
      signal.throwIfAborted();
      agents.noteDeath(this.#setting.sessionId);
    }
    throw new BulkheadError('agent_failed', `the agent died ${MAX_DEATHS + 1} times in this run`, {
      fix: 'See `bulkhead logs`.',
    });
  }

  /** One agent's share of the run. It is over when nothing that was started for it is under way any more. */
  async #attempt(agent: AgentProcess, signal: AbortSignal): Promise<AttemptEnd> {
    // Model calls end with the attempt: nobody is left to read them. Actions end only with the run.
    const attempt = new AbortController();
    this.#agent = agent;
    const onAbort = (): void => {
      attempt.abort();
      agent.connection.send({ case: 'cancel', value: { runId: this.#setting.runId } });
      this.#killSoon();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      agent.connection.send({ case: 'process', value: this.#processRequest() });
      return await this.#serve(agent, attempt.signal, signal);
    } catch (error) {
      this.#tasks.fail(error);
      agent.kill();
      return { kind: 'lost' };
    } finally {
      signal.removeEventListener('abort', onAbort);
      attempt.abort();
      await this.#tasks.settled();
      clearTimeout(this.#killTimer);
      this.#killTimer = undefined;
      this.#agent = undefined;
      this.#recordLate();
      this.#services.agents.release(agent);
    }
  }

  async #serve(agent: AgentProcess, attempt: AbortSignal, run: AbortSignal): Promise<AttemptEnd> {
    for (;;) {
      const event = await agent.next();
      if (event === undefined) return { kind: 'lost' };
      if (this.#tasks.failure !== undefined) {
        // The run has failed, and the agent will say so too: its last word must not be left for the next run.
        if (event.case === 'complete' || event.case === 'error') return { kind: 'lost' };
        continue;
      }
      const end = this.#handle(event, agent, attempt, run);
      if (end !== undefined) return end;
    }
  }

  #handle(
    event: AgentEvent,
    agent: AgentProcess,
    attempt: AbortSignal,
    run: AbortSignal,
  ): AttemptEnd | undefined {
    if (event.case === 'token') return this.#stream({ type: 'text_delta', text: event.value.text });
    if (event.case === 'thinking') return this.#stream({ type: 'thinking_delta', text: event.value.text });
    this.#models.recordAnswer();
    this.#refuseForeign(event);
    switch (event.case) {
      case 'modelRequest':
        this.#tasks.start(this.#models.begin(event.value, agent, attempt));
        return undefined;
      case 'toolCall':
        this.#tasks.start(this.#calls.begin(this.#models.round, event.value.call, agent, run));
        return undefined;
      case 'toolDefsRequest':
        this.#calls.load(this.#models.round, event.value, agent);
        return undefined;
      case 'complete':
        return { kind: 'complete', complete: event.value };
      case 'error':
        // Without a run it answers a directive this agent does not know: no run ends by that.
        if (event.value.runId === '') return undefined;
        throw new BulkheadError(errorCode(event.value.code) ?? 'agent_failed', event.value.message);
      default:
        throw new BulkheadError(
          'protocol_violation',
          `the agent sent ${event.case}, which this version can't use`,
        );
    }
  }

  /** What an agent still says of an answer that has ended, or of none, reaches nobody. */
  #stream(body: { readonly type: 'text_delta' | 'thinking_delta'; readonly text: string }): undefined {
    if (!this.#journal.answering) return;
    this.#services.log.ephemeral(this.#setting.sessionId, this.#setting.runId, body);
  }

  /** The end of another run is not this one's. */
  #refuseForeign(event: AgentEvent): void {
    if (event.case !== 'complete' && event.case !== 'error') return;
    const { runId } = event.value;
    if (runId === this.#setting.runId || (event.case === 'error' && runId === '')) return;
    throw new BulkheadError('protocol_violation', 'the agent ended a run it was not given');
  }

  /** An answer the agent did not live to act on is kept: the next agent goes on from it. */
  #recordLate(): void {
    try {
      this.#models.recordAnswer();
    } catch (error) {
      this.#tasks.fail(error);
    }
  }

  /** The run is over for the agent: it may end by itself, but not later than this. */
  #killSoon(): void {
    const agent = this.#agent;
    if (agent !== undefined) this.#killTimer ??= setTimeout(() => agent.kill(), END_GRACE_MS);
  }

  #processRequest() {
    const { runId, history, loaded, maxRounds, maxOutputTokens, model, prompt } = this.#setting;
    return create(ProcessRequestSchema, {
      runId,
      history: [...history],
      run: inCallOrder(this.#journal.messages),
      tools: loaded.definitions,
      groups: groupList(this.#services.tools),
      limits: { maxRounds, contextWindow: model.contextWindow, maxOutputTokens },
      context: prompt,
      roundsUsed: this.#journal.answers,
    });
  }

  #concluded(complete: ResponseComplete, signal: AbortSignal): RunConclusion {
    if (signal.aborted || complete.end === RunEnd.CANCELLED) return this.#aborted();
    const { messages, answers } = this.#journal;
    const run = inCallOrder(messages);
    const answered = { answer: ownAnswer(run, complete.content), thoughts: eventThoughts(thoughtsOf(run)) };
    if (answers > this.#setting.maxRounds) {
      this.#closeRound('The run had no rounds left for this call.');
      return { outcome: 'limit', ...answered };
    }
    if (this.#models.round?.finished === false) {
      return this.#failed(
        new BulkheadError('protocol_violation', 'the agent left calls without a result'),
        signal,
      );
    }
    return {
      outcome: this.#calls.refusedLast(this.#models.lastCalling) ? 'blocked' : 'completed',
      ...answered,
    };
  }

  #failed(error: unknown, signal: AbortSignal): RunConclusion {
    if (signal.aborted) return this.#aborted();
    this.#closeRound('The run ended before this call was made.');
    return { outcome: 'failed', answer: '', thoughts: [], error: BulkheadError.from(error) };
  }

  #aborted(): RunConclusion {
    this.#closeRound('Cancelled.');
    return { outcome: 'aborted', answer: '', thoughts: [] };
  }

  /** Every call gets a result, so that the history can be sent to a model again [T9]. */
  #closeRound(text: string): void {
    const { round } = this.#models;
    if (round === undefined || round.finished) this.#journal.failRound();
    for (const call of round?.unanswered() ?? []) {
      if (round !== undefined) this.#journal.toolOutput(round, call, { text, isError: true });
    }
  }
}
