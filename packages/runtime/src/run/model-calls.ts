import { setImmediate } from 'node:timers/promises';
import { callBodyOf, mostOf } from '@bulkhead/log/ledger/call-body';
import type { Ledger, Reservation } from '@bulkhead/log/ledger/ledger';
import { AnswerStream } from '@bulkhead/log/redaction/answer-stream';
import { redactText } from '@bulkhead/log/redaction/redact-answer';
import { eventUsage } from '@bulkhead/log/session/message-view';
import { throwIfSuspended } from '@bulkhead/log/suspension/suspension';
import type { AgentProcess } from '@bulkhead/processes/pools/agent-pool';
import {
  BulkheadError,
  type EventUsage,
  faultPoint,
  type ModelCall,
  type ModelClient,
  type Redaction,
} from '@bulkhead/protocol';
import type { ModelRequest } from '@bulkhead/protocol/agent';
import { type AssistantMessage, StopReason } from '@bulkhead/protocol/chat';
import type { ModelCallBody } from '@bulkhead/protocol/records';
import { systemTokens } from './compaction-budget.ts';
import type { ModelChain } from './model-chain.ts';
import type { Round } from './round.ts';
import type { RunJournal } from './run-journal.ts';
import type { RunSetting } from './run-setting.ts';

/** Of what a provider says at once, so many characters are read for secrets and passed on before others are served [FG10]. */
const PIECE = 64 * 1024;

/** The last answer of a run, and the last that called tools. */
export interface LastRounds {
  readonly round: Round | undefined;
  readonly calling: Round | undefined;
}

interface Answer {
  readonly message: AssistantMessage;
  readonly stopReason: StopReason;
  readonly call: ModelCallBody;
}

/**
 * The model calls of one run, made on an agent's request: one at a time, after all calls of the last answer,
 * within the rounds and the money the run has. What is recorded is the gateway's answer.
 */
export class ModelCalls {
  readonly #setting: RunSetting;
  readonly #models: ModelChain;
  readonly #ledger: Ledger;
  readonly #redaction: Redaction;
  readonly #journal: RunJournal;
  #round: Round | undefined;
  #lastCalling: Round | undefined;
  #busy = false;
  /** An answer that is complete, recorded once the agent has passed on all of its text: deltas precede it. */
  #unrecorded: Answer | undefined;
  #failure: BulkheadError | undefined;
  #crowded = false;
  readonly #onFailure: () => void;
  readonly #isCrowded: (request: ModelRequest, usage: EventUsage | undefined) => boolean;

  constructor(parts: {
    readonly setting: RunSetting;
    readonly models: ModelChain;
    readonly ledger: Ledger;
    readonly redaction: Redaction;
    readonly journal: RunJournal;
    /** What a run that is taken up again ends in. */
    readonly last: LastRounds;
    /** Told once a call has failed. */
    onFailure(): void;
    /** Whether the conversation is to be made shorter before this request goes out; never, if not given. */
    isCrowded?(request: ModelRequest, usage: EventUsage | undefined): boolean;
  }) {
    this.#setting = parts.setting;
    this.#models = parts.models;
    this.#ledger = parts.ledger;
    this.#redaction = parts.redaction;
    this.#journal = parts.journal;
    this.#round = parts.last.round;
    this.#lastCalling = parts.last.calling;
    this.#onFailure = parts.onFailure;
    this.#isCrowded = parts.isCrowded ?? (() => false);
  }

  /** The last answer that called tools; undefined before the first. */
  get lastCalling(): Round | undefined {
    return this.#lastCalling;
  }

  /** The last answer and its calls; undefined before the first. */
  get round(): Round | undefined {
    return this.#round;
  }

  /** True from the failure of a call until it is taken; a call that was not made for want of room has failed, too. */
  get failed(): boolean {
    return this.#failure !== undefined || this.#crowded;
  }

  /** Whether the attempt ended because the conversation is to be made shorter first. Taken once. */
  takeCrowded(): boolean {
    const crowded = this.#crowded;
    this.#crowded = false;
    return crowded;
  }

  /** What the attempt's last call failed with, if it did. Taken once: the next attempt begins without. */
  takeFailure(): BulkheadError | undefined {
    const failure = this.#failure;
    this.#failure = undefined;
    return failure;
  }

  /** Writes down what the model said. An answer that is no answer is a failed call. */
  recordAnswer(): void {
    const answer = this.#unrecorded;
    if (answer === undefined) return;
    this.#unrecorded = undefined;
    try {
      if (answer.stopReason === StopReason.CONTENT_FILTER) {
        throw new BulkheadError('content_blocked', 'the provider withheld the answer (content filter)');
      }
      faultPoint('model.answered');
      this.#round = this.#journal.answer(answer.message, answer.stopReason, answer.call);
      faultPoint('model.recorded');
    } catch (error) {
      const known = BulkheadError.from(error);
      if (known.code !== 'content_blocked' && known.code !== 'format_error') throw error;
      this.#journal.failRound({ ...answer.call, ok: false });
      this.#fail(known);
      return;
    }
    if (this.#round.lastCallId !== undefined) this.#lastCalling = this.#round;
  }

  /** An answer that the output limit cut is worth nothing to another agent: it does not know how to go on. */
  get cut(): boolean {
    return this.#round?.stopReason === 'length' && this.#round.lastCallId === undefined;
  }

  /** Forgets an answer that the journal has gone back behind. */
  rewind(): void {
    this.#round = this.#lastCalling;
  }

  /**
   * Starts the call an agent asked for.
   *
   * @returns the call; a failure of the model is kept, for `takeFailure`
   * @throws BulkheadError `protocol_violation` if it is not this agent's turn to ask; a Suspension if the engine stops
   */
  begin(request: ModelRequest, agent: AgentProcess, signal: AbortSignal): Promise<void> {
    throwIfSuspended(this.#setting.stopping);
    if (this.#busy || this.failed || this.#round?.finished === false) {
      throw new BulkheadError('protocol_violation', 'the agent asked for a model call out of turn');
    }
    // One more than the limit: the last answer, without tools.
    if (this.#journal.answers > this.#setting.maxRounds) {
      throw new BulkheadError('protocol_violation', 'the agent asked for more model calls than the run has');
    }
    // Half of an answer can't be gone on from in another attempt.
    if (!this.cut && this.#isCrowded(request, this.#round?.usage)) {
      this.#crowded = true;
      this.#onFailure();
      const value = { code: 'context_overflow', message: 'made shorter first', retryable: false };
      this.#reply(agent, request.requestId, { case: 'failed', value });
      return Promise.resolve();
    }
    this.#busy = true;
    const model = this.#models.current;
    const call = this.#limited(model, request);
    this.#journal.startRound(model.name, mostOf('chat', model, call));
    faultPoint('model.begun');
    return this.#call(model, call, request, agent, signal);
  }

  async #call(
    model: ModelClient,
    call: ModelCall,
    request: ModelRequest,
    agent: AgentProcess,
    signal: AbortSignal,
  ): Promise<void> {
    let reservation: Reservation | undefined;
    let received: number | undefined;
    const stream = new AnswerStream(this.#redaction, (kind, text) =>
      agent.connection.sendModelDelta(request.requestId, kind, text),
    );
    try {
      reservation = this.#ledger.reserve(this.#setting.sessionId, model.name, model.price, call);
      for await (const event of model.stream(call, signal)) {
        received ??= 0;
        if (event.type !== 'finish') {
          received += event.text.length;
          await passOn(stream, event.type, event.text);
          continue;
        }
        stream.end();
        const { stopReason, usage } = event;
        const message = redactText(event.message, this.#redaction);
        const told = callBodyOf('chat', model, call, eventUsage(usage), undefined, 0);
        const body = { ...told, systemTokens: systemTokens(request) };
        reservation.settle(body.cost);
        this.#unrecorded = { message, stopReason, call: body };
        this.#reply(agent, request.requestId, { case: 'finished', value: { message, stopReason, usage } });
      }
    } catch (error) {
      const failure = BulkheadError.from(error);
      const body = callBodyOf('chat', model, call, undefined, failure, received);
      reservation?.settle(body.cost);
      this.#journal.failRound(reservation === undefined ? undefined : body);
      faultPoint('model.failed');
      if (signal.aborted) return;
      this.#fail(failure);
      const { code, message, retryable } = failure;
      this.#reply(agent, request.requestId, { case: 'failed', value: { code, message, retryable } });
    } finally {
      this.#busy = false;
    }
  }

  #fail(error: BulkheadError): void {
    this.#failure = error;
    this.#onFailure();
  }

  #reply(
    agent: AgentProcess,
    requestId: string,
    delta:
      | { case: 'finished'; value: Pick<Answer, 'message' | 'stopReason'> & { usage: EventUsage } }
      | { case: 'failed'; value: { code: string; message: string; retryable: boolean } },
  ): void {
    agent.connection.send({ case: 'modelDelta', value: { requestId, delta } });
  }

  /** The agent chooses words; limits are the engine's. */
  #limited(model: ModelClient, request: ModelRequest): ModelCall {
    const { maxRounds } = this.#setting;
    const most = this.#setting.outputLimit(model);
    return {
      system: request.system,
      messages: request.messages,
      tools: request.tools,
      forbidTools: request.forbidTools || this.#journal.answers >= maxRounds,
      maxOutputTokens: Math.min(request.maxOutputTokens || most, most),
      tail: request.tail,
      cacheKey: this.#setting.sessionId,
    };
  }
}

async function passOn(stream: AnswerStream, kind: 'text' | 'thinking', text: string): Promise<void> {
  stream.push(kind, text.slice(0, PIECE));
  for (let from = PIECE; from < text.length; from += PIECE) {
    await setImmediate();
    stream.push(kind, text.slice(from, from + PIECE));
  }
}
