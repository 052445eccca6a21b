import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { BulkheadError } from '@bulkhead/protocol';
import {
  type AttachRequest,
  AttachRequestSchema,
  type AttachResponse,
  type ProcessRequest,
} from '@bulkhead/protocol/agent';
import type { AgentEvent } from '../connection/agent-connection.ts';
import type { LoopEvent } from '../loop/loop-event.ts';
import { runLoop } from '../loop/run-loop.ts';
import { ResultChannel } from './result-channel.ts';

/**
 * Sends an event to the engine. @returns false if it is larger than the engine accepts; then
 * nothing is sent
 */
export type Send = (event: AttachRequest['event']) => boolean;

/** Sends an agent's events as encoded messages. */
export function sender(push: (message: Uint8Array) => boolean): Send {
  return (event) => push(toBinary(AttachRequestSchema, create(AttachRequestSchema, { event })));
}

interface CurrentRun {
  readonly runId: string;
  readonly cancel: AbortController;
  readonly channel: ResultChannel;
}

/** Executes the engine's directives, one run at a time. Keeps no state between runs. */
export class AgentSession {
  readonly #send: Send;
  #current: CurrentRun | undefined;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * @returns false if the process must end. Ignores directives for an ended run: they were sent
   * before its end arrived.
   */
  handle({ directive }: AttachResponse): boolean {
    const run = this.#current;
    switch (directive.case) {
      case 'shutdown':
        return false;
      case 'process':
        this.#process(directive.value);
        break;
      case 'cancel':
        if (run?.runId === directive.value.runId) run.cancel.abort();
        break;
      case 'modelAnswer':
        run?.channel.deliverAnswer(directive.value);
        break;
      case 'toolResult':
        run?.channel.deliverToolResult(directive.value);
        break;
      case 'steer':
        // Without a run the message belongs to the engine, which adds it from its queue to the next
        // request.
        run?.channel.deliverSteer(directive.value);
        break;
      case 'initialTools':
      case undefined:
        break;
    }
    return true;
  }

  #process(request: ProcessRequest): void {
    const { runId } = request;
    if (this.#current !== undefined) {
      const message = `run ${this.#current.runId} is still going on`;
      this.#send(agentEvent(runId, { type: 'error', code: 'busy', message }));
      return;
    }
    const run = { runId, cancel: new AbortController(), channel: new ResultChannel() };
    this.#current = run;
    const emit = (event: LoopEvent): void => {
      if (event.type === 'complete' || event.type === 'error') this.#current = undefined;
      if (this.#send(agentEvent(runId, event)) || event.type !== 'tool_call') return;
      // An event too large for the engine ends the run, not the connection.
      const failure = new BulkheadError('context_overflow', 'a call is larger than the engine accepts');
      run.channel.failToolResult(event.call.callId, failure);
    };
    void runLoop(request, { emit, results: run.channel, signal: run.cancel.signal });
  }
}

type Init = NonNullable<MessageInitShape<typeof AttachRequestSchema>['event']>;

/** The message for the engine when the loop emits `event`. */
function agentEvent(runId: string, event: LoopEvent): AgentEvent {
  const sent = create(AttachRequestSchema, { event: wireEvent(runId, event) }).event;
  if (sent.case === undefined || sent.case === 'ready') throw new Error('the loop said what no agent says');
  return sent;
}

function wireEvent(runId: string, event: LoopEvent): Init {
  switch (event.type) {
    case 'model_request':
      return { case: 'modelRequest', value: event.request };
    case 'tool_call':
      return { case: 'toolCall', value: { call: event.call } };
    case 'complete':
      return { case: 'complete', value: { runId, end: event.end } };
    case 'error':
      return { case: 'error', value: { runId, code: event.code } };
  }
}
