import { create, type MessageInitShape } from '@bufbuild/protobuf';
import {
  type ModelDelta,
  type ModelDeltaSchema,
  type ModelRequest,
  type SkillsDelivery,
  SkillsDeliverySchema,
  type SteerDelivery,
  SteerDeliverySchema,
  type ToolDefsDelivery,
  ToolDefsDeliverySchema,
  type ToolResultDelivery,
  ToolResultDeliverySchema,
} from '@bulkhead/protocol/agent';
import type { ToolCall } from '@bulkhead/protocol/chat';
import type { LoopEnd, LoopEvent } from '../loop/loop-event.ts';
import type { LoopPorts, LoopResults } from '../loop/loop-ports.ts';
import { runLoop } from '../loop/run-loop.ts';
import { delta } from './messages.ts';

export type ScriptDelta = MessageInitShape<typeof ModelDeltaSchema>['delta'];

export interface Script {
  /** Deltas of one model request after the other; a request beyond the last gives a plain "done". */
  readonly models: readonly (readonly ScriptDelta[])[];
  /** The text of a call's result; awaited, so it may take its time. */
  readonly result?: (call: ToolCall) => Promise<string> | string;
  readonly terminate?: (call: ToolCall) => boolean;
  /** What a person says before the result of a call. */
  readonly steers?: (call: ToolCall) => readonly string[];
  readonly skills?: (names: readonly string[]) => MessageInitShape<typeof SkillsDeliverySchema>;
  readonly defs?: (groups: readonly string[]) => MessageInitShape<typeof ToolDefsDeliverySchema>;
}

/** Plays the engine for one run, without any process: answers by script and writes down what it is told. */
export class ScriptedCaller implements LoopPorts {
  readonly events: LoopEvent[] = [];
  /** What was waited for and what came of it, in the order it happened. */
  readonly trace: string[] = [];
  readonly abort = new AbortController();
  readonly signal = this.abort.signal;
  readonly #script: Script;
  #requests = 0;
  /** All that a person said, in order. */
  readonly said: SteerDelivery[] = [];
  #taken = 0;

  constructor(script: Script) {
    this.#script = script;
  }

  emit(event: LoopEvent): void {
    this.events.push(event);
    if (event.type === 'tool_call') this.trace.push(`propose ${event.call.callId}`);
  }

  readonly results: LoopResults = {
    model: (requestId) => this.#model(requestId),
    toolResult: (callId) => this.#toolResult(callId),
    toolDefs: (callId) => this.#toolDefs(callId),
    skills: (callId) => this.#skills(callId),
    steers: () => {
      const steers = this.said.slice(this.#taken);
      this.#taken = this.said.length;
      return steers;
    },
  };

  async run(request: Parameters<typeof runLoop>[0]): Promise<LoopEnd> {
    await runLoop(request, this);
    return this.end;
  }

  get end(): LoopEnd {
    const last = this.events.at(-1);
    if (last?.type !== 'complete' && last?.type !== 'error') throw new Error('the run has no end');
    return last;
  }

  get requests(): ModelRequest[] {
    return this.events.flatMap((event) => (event.type === 'model_request' ? [event.request] : []));
  }

  get proposed(): string[] {
    return this.events.flatMap((event) => (event.type === 'tool_call' ? [event.call.callId] : []));
  }

  async *#model(requestId: string): AsyncGenerator<ModelDelta> {
    const deltas = this.#script.models[this.#requests] ?? [
      {
        case: 'finished',
        value: { message: { parts: [{ part: { case: 'text', value: { text: 'done' } } }] } },
      },
    ];
    this.#requests += 1;
    for (const value of deltas) yield delta(requestId, value);
  }

  async #toolResult(callId: string): Promise<ToolResultDelivery> {
    const call = this.events
      .toReversed()
      .flatMap((event) =>
        event.type === 'tool_call' && event.call.callId === callId ? [event.call] : [],
      )[0];
    if (call === undefined) throw new Error(`nobody proposed ${callId}`);
    const text = (await this.#script.result?.(call)) ?? `result of ${callId}`;
    this.trace.push(`result ${callId}`);
    const said = this.#script.steers?.(call) ?? [];
    this.said.push(...said.map((one) => create(SteerDeliverySchema, { messageId: one, text: one })));
    const terminate = this.#script.terminate?.(call) ?? false;
    return create(ToolResultDeliverySchema, { result: { callId, name: call.name, text }, terminate });
  }

  async #toolDefs(callId: string): Promise<ToolDefsDelivery> {
    const asked = this.events.flatMap((event) =>
      event.type === 'tool_defs_request' && event.callId === callId ? [event.groups] : [],
    )[0];
    if (asked === undefined) throw new Error(`nobody asked for definitions in ${callId}`);
    return create(ToolDefsDeliverySchema, { callId, ...this.#script.defs?.(asked) });
  }

  async #skills(callId: string): Promise<SkillsDelivery> {
    const asked = this.events.flatMap((event) =>
      event.type === 'skills_request' && event.callId === callId ? [event.names] : [],
    )[0];
    if (asked === undefined) throw new Error(`nobody asked for skills in ${callId}`);
    return create(SkillsDeliverySchema, { callId, ...this.#script.skills?.(asked) });
  }
}
