import { create } from '@bufbuild/protobuf';
import type { Clock, DurableEventBody, EventUsage } from '@bulkhead/protocol';
import {
  type AssistantMessage,
  type Message,
  type StopReason,
  type ToolCall,
  type ToolMessage,
  ToolMessageSchema,
  type Usage,
} from '@bulkhead/protocol/chat';
import {
  addUsage,
  assistantMessage,
  callsOf,
  eventUsage,
  NO_USAGE,
  stopReasonName,
  toolMessage,
  userMessage,
} from '../session/message-view.ts';
import { eventRecord } from '../session/record-codec.ts';
import type { SessionLog } from '../session/session-log.ts';
import { endOfRun, type RunConclusion } from './end-of-run.ts';
import { Round } from './round.ts';

/**
 * What one run writes to its session's log, and the engine's own copy of the conversation in it. Every
 * method leaves the grammar of events whole; entries become history when their round is finished [S3].
 */
export class RunJournal {
  readonly #log: SessionLog;
  readonly #clock: Clock;
  readonly #session: string;
  readonly #run: string;
  readonly #message: string;
  readonly #model: string;
  #parent: string | null;
  #messages: Message[] = [];
  #rounds = 0;
  #answers = 0;
  #usage: EventUsage = NO_USAGE;
  #free: boolean;
  #answering = false;
  #turnOpen = false;
  #last: { readonly usage: EventUsage; readonly stopReason: StopReason } | undefined;

  constructor(parts: {
    readonly log: SessionLog;
    readonly clock: Clock;
    readonly sessionId: string;
    readonly runId: string;
    readonly messageId: string;
    /** `provider/model` */
    readonly model: string;
    /** True if calls of this model cost nothing. */
    readonly free: boolean;
    readonly leaf: string | null;
  }) {
    this.#log = parts.log;
    this.#clock = parts.clock;
    this.#session = parts.sessionId;
    this.#run = parts.runId;
    this.#message = parts.messageId;
    this.#model = parts.model;
    this.#free = parts.free;
    this.#parent = parts.leaf;
  }

  /** This run's conversation so far, the user's message first. */
  get messages(): readonly Message[] {
    return this.#messages;
  }

  /** Model calls that gave an answer. */
  get answers(): number {
    return this.#answers;
  }

  /** True from `message_start` of an answer to its `message_end`. */
  get answering(): boolean {
    return this.#answering;
  }

  publish(...events: readonly DurableEventBody[]): void {
    this.#log.events(this.#session, this.#run, ...events);
  }

  start(content: string): void {
    const message = userMessage(content);
    const { id, record } = this.#log.entry(
      this.#run,
      this.#parent,
      { type: 'message_end', role: 'user' },
      message,
    );
    this.#log.append(
      this.#session,
      [
        this.#event({ type: 'agent_start', message: this.#message }),
        this.#event({ type: 'message_start', role: 'user' }),
        record,
      ],
      id,
    );
    this.#parent = id;
    this.#messages.push(message);
  }

  startRound(): void {
    this.#rounds += 1;
    this.#turnOpen = true;
    this.#answering = true;
    this.publish(
      { type: 'turn_start', round: this.#rounds, model: this.#model },
      { type: 'message_start', role: 'assistant' },
    );
  }

  /** The model's whole answer, as the gateway saw it. Ends the round if nothing is called. */
  answer(answer: AssistantMessage, stopReason: StopReason, usage: Usage): Round {
    const round = new Round(this.#rounds, answer);
    this.#answers += 1;
    const message = assistantMessage(answer);
    this.#last = { usage: eventUsage(usage), stopReason };
    this.#usage = addUsage(this.#usage, this.#last.usage);
    const { id, record } = this.#log.entry(
      this.#run,
      this.#parent,
      {
        type: 'message_end',
        role: 'assistant',
        usage: this.#last.usage,
        cost: this.#cost,
        stopReason: stopReasonName(stopReason),
      },
      message,
    );
    const calls = callsOf(answer).map((call) => this.#event(toolCallEvent(call)));
    this.#answering = false;
    this.#log.append(
      this.#session,
      [record, ...calls, ...(round.finished ? [this.#turnEnd()] : [])],
      round.finished ? id : undefined,
    );
    this.#parent = id;
    this.#messages.push(message);
    return round;
  }

  /** A model call that gave no answer. What was streamed of it is no part of the conversation. */
  failRound(usage: EventUsage = NO_USAGE): void {
    if (!this.#turnOpen) return;
    this.#usage = addUsage(this.#usage, usage);
    const end: DurableEventBody = { type: 'message_end', role: 'assistant', text: '', stopReason: 'error' };
    const events = this.#answering ? [end, this.#turnEndBody('error')] : [this.#turnEndBody('error')];
    this.#answering = false;
    this.publish(...events);
  }

  /** The result of one call. The round's entries become history with its last result. */
  toolOutput(
    round: Round,
    call: ToolCall,
    result: { readonly text: string; readonly isError: boolean; readonly display?: string },
  ): ToolMessage {
    const value = create(ToolMessageSchema, {
      callId: call.callId,
      name: call.name,
      text: result.text,
      isError: result.isError,
    });
    const message = toolMessage(value);
    round.answer(call.callId);
    const display = result.display === undefined ? {} : { display: result.display };
    const { id, record } = this.#log.entry(
      this.#run,
      this.#parent,
      { type: 'tool_output', call: call.callId, tool: call.name, isError: result.isError, ...display },
      message,
    );
    this.#log.append(
      this.#session,
      [record, ...(round.finished ? [this.#turnEnd()] : [])],
      round.finished ? id : undefined,
    );
    this.#parent = id;
    this.#messages.push(message);
    return value;
  }

  /** The end of the run, in one commit: exactly one `settled` for its message. */
  finish(conclusion: RunConclusion): void {
    this.publish(...endOfRun(this.#message, this.#rounds, this.#usage, this.#cost, conclusion));
  }

  /** US dollars, or null where the price isn't known. */
  get #cost(): number | null {
    return this.#free ? 0 : null;
  }

  #event(body: DurableEventBody) {
    return eventRecord(this.#clock.now(), this.#run, body);
  }

  #turnEnd() {
    return this.#event(this.#turnEndBody());
  }

  #turnEndBody(stopReason?: 'error'): DurableEventBody {
    this.#turnOpen = false;
    const { usage, stopReason: reason } = this.#last ?? { usage: NO_USAGE, stopReason: 0 };
    return {
      type: 'turn_end',
      round: this.#rounds,
      usage: stopReason === undefined ? usage : NO_USAGE,
      stopReason: stopReason ?? stopReasonName(reason),
    };
  }
}

function toolCallEvent(call: ToolCall): DurableEventBody {
  return {
    type: 'tool_call',
    call: call.callId,
    tool: call.name,
    arguments: parsedOrText(call.argumentsJson),
  };
}

/** Arguments as a client can show them; text that is no JSON stays text. */
function parsedOrText(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}
