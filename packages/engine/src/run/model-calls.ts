import { BulkheadError } from '@bulkhead/protocol';
import type { ModelRequest } from '@bulkhead/protocol/agent';
import { type AssistantMessage, StopReason, type Usage } from '@bulkhead/protocol/chat';
import type { AgentProcess } from '../pools/agent-pool.ts';
import type { Round } from './round.ts';
import type { RunJournal } from './run-journal.ts';
import type { RunSetting } from './run-setting.ts';

/**
 * The model calls of one run, made on an agent's request: one at a time, after all calls of the last answer,
 * within the rounds the run has. What is recorded is the gateway's answer.
 */
export class ModelCalls {
  readonly #setting: RunSetting;
  readonly #journal: RunJournal;
  #round: Round | undefined;
  #lastCalling: Round | undefined;
  #busy = false;
  /** An answer that is complete, recorded once the agent has passed on all of its text: deltas precede it. */
  #unrecorded: { message: AssistantMessage; stopReason: StopReason; usage: Usage } | undefined;

  constructor(setting: RunSetting, journal: RunJournal) {
    this.#setting = setting;
    this.#journal = journal;
  }

  /** The last answer that called tools; undefined before the first. */
  get lastCalling(): Round | undefined {
    return this.#lastCalling;
  }

  /** The last answer and its calls; undefined before the first. */
  get round(): Round | undefined {
    return this.#round;
  }

  /** @throws BulkheadError `format_error` for an answer whose calls can't be told apart, `content_blocked` */
  recordAnswer(): void {
    const answer = this.#unrecorded;
    if (answer === undefined) return;
    this.#unrecorded = undefined;
    this.#round = this.#journal.answer(answer.message, answer.stopReason, answer.usage);
    if (this.#round.lastCallId !== undefined) this.#lastCalling = this.#round;
    if (answer.stopReason === StopReason.CONTENT_FILTER) {
      throw new BulkheadError('content_blocked', 'the provider withheld the answer (content filter)');
    }
  }

  /**
   * Starts the call an agent asked for.
   *
   * @returns the call; it ends without an error when `signal` aborts
   * @throws BulkheadError `protocol_violation` if it is not this agent's turn to ask
   */
  begin(request: ModelRequest, agent: AgentProcess, signal: AbortSignal): Promise<void> {
    if (this.#busy || this.#round?.finished === false) {
      throw new BulkheadError('protocol_violation', 'the agent asked for a model call out of turn');
    }
    // One more than the limit: the last answer, without tools.
    if (this.#journal.answers > this.#setting.maxRounds) {
      throw new BulkheadError('protocol_violation', 'the agent asked for more model calls than the run has');
    }
    this.#busy = true;
    this.#journal.startRound();
    return this.#call(request, agent, signal);
  }

  async #call(request: ModelRequest, agent: AgentProcess, signal: AbortSignal): Promise<void> {
    const { requestId } = request;
    try {
      for await (const event of this.#setting.model.stream(this.#limited(request), signal)) {
        if (event.type !== 'finish') {
          agent.connection.sendModelDelta(requestId, event.type, event.text);
          continue;
        }
        const { message, stopReason, usage } = event;
        this.#unrecorded = { message, stopReason, usage };
        const finished = { case: 'finished' as const, value: { message, stopReason, usage } };
        agent.connection.send({ case: 'modelDelta', value: { requestId, delta: finished } });
      }
    } catch (error) {
      this.#journal.failRound();
      if (signal.aborted) return;
      const { code, message, retryable } = BulkheadError.from(error);
      const failed = { case: 'failed' as const, value: { code, message, retryable } };
      agent.connection.send({ case: 'modelDelta', value: { requestId, delta: failed } });
      throw error;
    } finally {
      this.#busy = false;
    }
  }

  /** The agent chooses words; limits are the engine's. */
  #limited(request: ModelRequest) {
    const { maxRounds, maxOutputTokens } = this.#setting;
    return {
      system: request.system,
      messages: request.messages,
      tools: request.tools,
      forbidTools: request.forbidTools || this.#journal.answers >= maxRounds,
      maxOutputTokens: Math.min(request.maxOutputTokens || maxOutputTokens, maxOutputTokens),
    };
  }
}
