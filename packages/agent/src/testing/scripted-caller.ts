import { create } from '@bufbuild/protobuf';
import {
  type ModelAnswer,
  ModelAnswerSchema,
  type ModelRequest,
  RequestNote,
  type RunEnd,
  type SteerDelivery,
  SteerDeliverySchema,
  type ToolResultDelivery,
  ToolResultDeliverySchema,
} from '@bulkhead/protocol/agent';
import {
  type Message,
  MessageSchema,
  StopReason,
  type Thought,
  type ToolCall,
} from '@bulkhead/protocol/chat';
import { runAnswer } from '../loop/after-answer.ts';
import type { LoopEnd, LoopEvent } from '../loop/loop-event.ts';
import type { LoopPorts, LoopResults } from '../loop/loop-ports.ts';
import { modelView } from '../loop/model-view.ts';
import { CONTINUATION_NOTE, LIMIT_NOTE } from '../loop/notices.ts';
import { openBatch } from '../loop/open-batch.ts';
import { runLoop } from '../loop/run-loop.ts';
import { thoughtsOf } from '../loop/thoughts.ts';
import { RunDigest } from '../reference/run-digest.ts';
import { answer, answered, asShown, type Outcome } from './messages.ts';

const NOTES = {
  [RequestNote.UNSPECIFIED]: undefined,
  [RequestNote.CONTINUE]: CONTINUATION_NOTE,
  [RequestNote.LAST_ANSWER]: LIMIT_NOTE,
};

export interface Script {
  /** The outcomes of model requests in order; a request beyond the last gives a plain "done". */
  readonly models: readonly Outcome[];
  /** The text of a call's result; awaited, so it may be slow. */
  readonly result?: (call: ToolCall) => Promise<string> | string;
  readonly terminate?: (call: ToolCall) => boolean;
  /** A person's messages before the result of a call. */
  readonly steers?: (call: ToolCall) => readonly string[];
  /** Names of tools that a call loads and whose calls may run concurrently. */
  readonly loads?: (call: ToolCall) => readonly string[];
}

/** A model request as the owner of the run builds it. */
export interface MadeRequest extends Pick<ModelRequest, 'requestId' | 'note'> {
  readonly messages: readonly Message[];
}

/** A run's end, with its computed results. */
export type ScriptedEnd =
  | {
      readonly type: 'complete';
      readonly end: RunEnd;
      readonly content: string;
      readonly thoughts: Thought[];
    }
  | Extract<LoopEnd, { type: 'error' }>;

/**
 * Plays the engine for one run, without any process: keeps the run, answers by script and records
 * the loop's requests. A request with a different run fails the test.
 */
export class ScriptedCaller implements LoopPorts {
  readonly events: LoopEvent[] = [];
  /** Waits and their results, in order. */
  readonly trace: string[] = [];
  readonly requests: MadeRequest[] = [];
  readonly abort = new AbortController();
  readonly signal = this.abort.signal;
  /** All messages of the person, in order. */
  readonly said: SteerDelivery[] = [];
  readonly #script: Script;
  readonly #digest = new RunDigest();
  #run: Message[] = [];
  #cut = false;
  #taken = 0;

  constructor(script: Script) {
    this.#script = script;
  }

  emit(event: LoopEvent): void {
    this.events.push(event);
    if (event.type === 'tool_call') this.trace.push(`propose ${event.call.callId}`);
    if (event.type === 'model_request') this.#make(event.request);
  }

  readonly results: LoopResults = {
    model: (requestId) => this.#model(requestId),
    toolResult: (callId) => this.#toolResult(callId),
    steers: () => this.#steers(),
  };

  async run(request: Parameters<typeof runLoop>[0]): Promise<ScriptedEnd> {
    this.#run = [...request.run];
    await runLoop(request, this);
    return this.end;
  }

  get end(): ScriptedEnd {
    const last = this.events.at(-1);
    if (last?.type === 'error') return last;
    if (last?.type !== 'complete') throw new Error('the run has no end');
    const content = runAnswer(this.#run, last.end, this.#cut);
    return { ...last, content, thoughts: thoughtsOf(this.#run) };
  }

  get proposed(): string[] {
    return this.events.flatMap((event) => (event.type === 'tool_call' ? [event.call.callId] : []));
  }

  #make({ requestId, note, messages, digest }: ModelRequest): void {
    const own = this.#digest.of(this.#run);
    if (own.messages !== messages || Buffer.compare(own.digest, digest) !== 0) {
      throw new Error(`${requestId} names another run`);
    }
    this.requests.push({ requestId, note, messages: asShown(modelView(this.#run, NOTES[note])) });
  }

  async #model(requestId: string): Promise<ModelAnswer> {
    const outcome = this.#script.models[this.requests.length - 1] ?? answered(answer('done'));
    const made = create(ModelAnswerSchema, { requestId, ...(outcome && { outcome }) });
    if (made.outcome.case === 'finished' && made.outcome.value.message !== undefined) {
      const { message, stopReason } = made.outcome.value;
      this.#cut = stopReason === StopReason.LENGTH;
      this.#run.push(create(MessageSchema, { role: { case: 'assistant', value: message } }));
    }
    return made;
  }

  async #toolResult(callId: string): Promise<ToolResultDelivery> {
    const call = this.events
      .toReversed()
      .flatMap((event) =>
        event.type === 'tool_call' && event.call.callId === callId ? [event.call] : [],
      )[0];
    if (call === undefined) throw new Error(`${callId} was not proposed`);
    const text = (await this.#script.result?.(call)) ?? `result of ${callId}`;
    this.trace.push(`result ${callId}`);
    const said = this.#script.steers?.(call) ?? [];
    this.said.push(
      ...said.map((one) => create(SteerDeliverySchema, { messageId: one, message: { text: one } })),
    );
    const delivery = create(ToolResultDeliverySchema, {
      result: { callId, name: call.name, text },
      terminate: this.#script.terminate?.(call) ?? false,
      sideBySide: [...(this.#script.loads?.(call) ?? [])],
    });
    this.#keep(delivery);
    return delivery;
  }

  /** Results are in call order, whichever came first. */
  #keep({ result }: ToolResultDelivery): void {
    const batch = openBatch(this.#run);
    if (batch === undefined || result === undefined) return;
    const results = new Map(batch.results).set(result.callId, result);
    const ordered = batch.calls.flatMap(({ callId }) => results.get(callId) ?? []);
    this.#run.length = batch.answeredAt;
    for (const value of ordered) this.#run.push(create(MessageSchema, { role: { case: 'tool', value } }));
  }

  #steers(): readonly SteerDelivery[] {
    const steers = this.said.slice(this.#taken);
    this.#taken = this.said.length;
    for (const { message: value } of steers) {
      if (value !== undefined) this.#run.push(create(MessageSchema, { role: { case: 'user', value } }));
    }
    return steers;
  }
}
