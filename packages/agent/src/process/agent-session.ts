import { create, toBinary } from '@bufbuild/protobuf';
import { BulkheadError } from '@bulkhead/protocol';
import {
  type AttachRequest,
  AttachRequestSchema,
  type AttachResponse,
  type ProcessRequest,
} from '@bulkhead/protocol/agent';
import type { LoopEvent } from '../loop/loop-event.ts';
import { runLoop } from '../loop/run-loop.ts';
import { agentEvent } from '../wire/agent-event.ts';
import { ResultChannel } from './result-channel.ts';

/** Takes an event on its way to the engine. @returns false if it is larger than the engine accepts; then nothing is sent */
export type Send = (event: AttachRequest['event']) => boolean;

/** Sends what an agent says as encoded messages. */
export function sender(push: (message: Uint8Array) => boolean): Send {
  return (event) => push(toBinary(AttachRequestSchema, create(AttachRequestSchema, { event })));
}

interface CurrentRun {
  readonly runId: string;
  readonly cancel: AbortController;
  readonly channel: ResultChannel;
}

/** Does what the engine directs, one run at a time. Keeps nothing from one to the next. */
export class AgentSession {
  readonly #send: Send;
  #current: CurrentRun | undefined;

  constructor(send: Send) {
    this.#send = send;
  }

  /** @returns false if the process is to end. What belongs to no current run is ignored: it crossed the run's end. */
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
        // Without a run it is the engine's, who holds the queue and puts it into the next request.
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
      // What the engine would refuse for its size ends the run, not the connection.
      const failure = new BulkheadError('context_overflow', 'a call is larger than the engine accepts');
      run.channel.failToolResult(event.call.callId, failure);
    };
    void runLoop(request, { emit, results: run.channel, signal: run.cancel.signal });
  }
}
