import { setImmediate } from 'node:timers/promises';
import type { AgentDirective } from '@bulkhead/agent';
import type { Context } from '@bulkhead/log/context';
import { callBodyOf, mostOf } from '@bulkhead/log/ledger/call-body';
import type { Ledger, Reservation } from '@bulkhead/log/ledger/ledger';
import { AnswerStream } from '@bulkhead/log/redaction/answer-stream';
import { redactText } from '@bulkhead/log/redaction/redact-answer';
import { eventUsage } from '@bulkhead/log/session/message-view';
import type { SessionLog } from '@bulkhead/log/session/session-log';
import { throwIfSuspended } from '@bulkhead/log/suspension/suspension';
import { outputLimitOf } from '@bulkhead/models';
import type { AgentProcess } from '@bulkhead/processes/pools/agent-pool';
import {
  BulkheadError,
  type EventUsage,
  faultPoint,
  type ModelCall,
  type ModelClient,
  type Redaction,
  type Timers,
} from '@bulkhead/protocol';
import type { ModelRequest } from '@bulkhead/protocol/agent';
import { type AssistantMessage, StopReason } from '@bulkhead/protocol/chat';
import type { ModelCallBody } from '@bulkhead/protocol/records';
import { AnswerRelay } from './answer-relay.ts';
import { systemTokens } from './compaction-budget.ts';
import type { ModelChain } from './model-chain.ts';
import type { Round } from './round.ts';
import type { RunConversation } from './run-conversation.ts';
import type { RunJournal } from './run-journal.ts';
import type { ExpandedRequest } from './run-requests.ts';
import type { RunSetting } from './run-setting.ts';

/** Of what a provider says at once, so many characters are read for secrets and passed on before others are served [FG10]. */
const PIECE = 64 * 1024;

/** The last answer of a run, and the last that called tools. */
export interface LastRounds {
  readonly round: Round | undefined;
  readonly calling: Round | undefined;
}

type Outcome = NonNullable<Extract<AgentDirective, { case: 'modelAnswer' }>['value']['outcome']>;

/**
 * The model calls of one run, made on an agent's request: one at a time, after all calls of the
 * last answer, within the run's limits of rounds and money. The engine makes the request; the
 * gateway's answer is recorded and streamed to clients.
 */
export class ModelCalls {
  readonly #setting: RunSetting;
  readonly #models: ModelChain;
  readonly #log: Pick<SessionLog, 'ephemeral'>;
  readonly #ledger: Ledger;
  readonly #redaction: Redaction;
  readonly #timers: Timers;
  readonly #journal: RunJournal;
  #round: Round | undefined;
  #lastCalling: Round | undefined;
  #busy = false;
  #failure: BulkheadError | undefined;
  #crowded = false;
  readonly #onFailure: () => void;
  readonly #expand: (request: ModelRequest) => ExpandedRequest;
  readonly #conversation: Pick<RunConversation, 'isCrowded' | 'tokens'> | undefined;

  constructor(parts: {
    readonly services: {
      readonly context: Pick<Context, 'redaction' | 'timers'> & {
        readonly log: Pick<SessionLog, 'ephemeral'>;
      };
      readonly models: { readonly ledger: Ledger };
    };
    readonly setting: RunSetting;
    readonly models: ModelChain;
    readonly journal: RunJournal;
    /** The last rounds of a run that is resumed. */
    readonly last: LastRounds;
    /** Called once a call has failed. */
    onFailure(): void;
    /** Makes what is sent. @throws BulkheadError `protocol_violation` if the agent may not ask for this */
    expand(request: ModelRequest): ExpandedRequest;
    /** Its size, and whether it is to be made shorter before a request goes out; never, if not given. */
    readonly conversation?: Pick<RunConversation, 'isCrowded' | 'tokens'>;
  }) {
    this.#setting = parts.setting;
    this.#models = parts.models;
    this.#log = parts.services.context.log;
    this.#ledger = parts.services.models.ledger;
    this.#redaction = parts.services.context.redaction;
    this.#timers = parts.services.context.timers;
    this.#journal = parts.journal;
    this.#round = parts.last.round;
    this.#lastCalling = parts.last.calling;
    this.#onFailure = parts.onFailure;
    this.#expand = parts.expand;
    this.#conversation = parts.conversation;
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

  /**
   * The failure of the attempt's last call, if it failed. Taken once: the next attempt begins
   * without.
   */
  takeFailure(): BulkheadError | undefined {
    const failure = this.#failure;
    this.#failure = undefined;
    return failure;
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
    const expanded = this.#expand(request);
    // Half of an answer can't be gone on from in another attempt.
    const isCrowded = this.#conversation?.isCrowded(expanded, this.#round?.usage) ?? false;
    if (!this.cut && isCrowded) {
      this.#crowded = true;
      this.#onFailure();
      reply(agent, request.requestId, { case: 'contextFull', value: {} });
      return Promise.resolve();
    }
    this.#busy = true;
    const model = this.#models.current;
    const call = this.#limited(model, expanded);
    this.#journal.startRound(model.name, { ...mostOf('chat', model, call), ...sentOf(expanded) });
    faultPoint('model.begun');
    return this.#call(model, call, { requestId: request.requestId, expanded }, agent, signal);
  }

  async #call(
    model: ModelClient,
    call: ModelCall,
    { requestId, expanded }: { readonly requestId: string; readonly expanded: ExpandedRequest },
    agent: AgentProcess,
    signal: AbortSignal,
  ): Promise<void> {
    const { sessionId, runId } = this.#setting;
    let reservation: Reservation | undefined;
    let received: number | undefined;
    let told: EventUsage | undefined;
    using relay = new AnswerRelay(this.#timers, (kind, text) => {
      this.#log.ephemeral(sessionId, runId, {
        type: kind === 'text' ? 'text_delta' : 'thinking_delta',
        text,
      });
    });
    const stream = new AnswerStream(this.#redaction, (kind, text) => relay.push(kind, text));
    try {
      reservation = this.#ledger.reserve(sessionId, model.name, model.price, call);
      for await (const event of model.stream(call, signal)) {
        received ??= 0;
        if (event.type !== 'finish') {
          received += event.text.length;
          await passOn(stream, event.type, event.text);
          continue;
        }
        stream.end();
        relay.flush();
        told = eventUsage(event.usage);
        const message = redactText(event.message, this.#redaction);
        const body = callBodyOf('chat', model, call, told, undefined, 0);
        const facts = { ...sentOf(expanded), systemTokens: systemTokens(expanded) };
        this.#record(message, event.stopReason, { ...body, ...facts });
        reservation.settle(body.cost);
        const { stopReason } = event;
        reply(agent, requestId, { case: 'finished', value: { message, stopReason } });
      }
    } catch (error) {
      const failure = BulkheadError.from(error);
      const body = callBodyOf('chat', model, call, told, failure, received);
      reservation?.settle(body.cost);
      this.#journal.failRound(reservation === undefined ? undefined : { ...body, ...sentOf(expanded) });
      faultPoint('model.failed');
      if (signal.aborted) return;
      this.#failure = failure;
      this.#onFailure();
      reply(agent, requestId, { case: 'failed', value: { code: failure.code, message: failure.message } });
    } finally {
      this.#busy = false;
    }
  }

  /** Writes down what the model said. @throws BulkheadError for an answer that is none */
  #record(message: AssistantMessage, stopReason: StopReason, call: ModelCallBody): void {
    if (stopReason === StopReason.CONTENT_FILTER) {
      throw new BulkheadError('content_blocked', 'the provider withheld the answer (content filter)');
    }
    faultPoint('model.answered');
    this.#round = this.#journal.answer(message, stopReason, call);
    faultPoint('model.recorded');
    if (this.#round.lastCallId !== undefined) this.#lastCalling = this.#round;
  }

  /** Limits are the engine's. */
  #limited(model: ModelClient, { system, messages, tools, tail }: ExpandedRequest): ModelCall {
    const { maxRounds, sessionId } = this.#setting;
    const used = this.#conversation?.tokens ?? 0;
    const call = {
      system,
      messages,
      tools,
      tail,
      forbidTools: this.#journal.answers >= maxRounds,
      maxOutputTokens: outputLimitOf(model, this.#setting.outputLimit(model), used),
      cacheKey: sessionId,
    };
    return { ...call, maxOutputTokens: this.#ledger.outputLimit(sessionId, model.price, call) };
  }
}

/** The record of a request beside its usage: its digest, and the note that the agent added. */
function sentOf({ digest, added }: ExpandedRequest): Pick<ModelCallBody, 'request' | 'added'> {
  return added === 'nothing' ? { request: digest } : { request: digest, added };
}

function reply(agent: AgentProcess, requestId: string, outcome: Outcome): void {
  agent.connection.send({ case: 'modelAnswer', value: { requestId, outcome } });
}

async function passOn(stream: AnswerStream, kind: 'text' | 'thinking', text: string): Promise<void> {
  stream.push(kind, text.slice(0, PIECE));
  for (let from = PIECE; from < text.length; from += PIECE) {
    await setImmediate();
    stream.push(kind, text.slice(from, from + PIECE));
  }
}
