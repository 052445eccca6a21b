import { BulkheadError } from '@bulkhead/protocol';
import type { AttachResponse, CompactRequest, ProcessRequest } from '@bulkhead/protocol/agent';
import { compactConversation } from '../compaction/compact-conversation.ts';
import type { CompactionEvent } from '../compaction/compaction-event.ts';
import type { LoopEvent } from '../loop/loop-event.ts';
import { runLoop } from '../loop/run-loop.ts';
import type { EngineOutbox } from './engine-outbox.ts';
import { ResultChannel } from './result-channel.ts';

/** A run, or a compaction: then with the id of its request. */
interface CurrentRun {
  readonly runId: string;
  readonly cancel: AbortController;
  readonly channel: ResultChannel;
}

/** Does what the engine directs, one run or compaction at a time. Keeps nothing from one to the next. */
export class AgentSession {
  readonly #outbox: EngineOutbox;
  #current: CurrentRun | undefined;

  constructor(outbox: EngineOutbox) {
    this.#outbox = outbox;
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
      case 'modelDelta':
        run?.channel.deliverDelta(directive.value);
        break;
      case 'toolResult':
        run?.channel.deliverToolResult(directive.value);
        break;
      case 'toolDefs':
        run?.channel.deliverToolDefs(directive.value);
        break;
      case 'skills':
        run?.channel.deliverSkills(directive.value);
        break;
      case 'steer':
        // Without a run it is the engine's, who holds the queue and puts it into the next request.
        run?.channel.deliverSteer(directive.value);
        break;
      case 'compact':
        this.#compact(directive.value);
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
      this.#refuse(runId, 'busy', `run ${this.#current.runId} is still going on`);
      return;
    }
    const run = { runId, cancel: new AbortController(), channel: new ResultChannel() };
    this.#current = run;
    const emit = (event: LoopEvent): void => {
      if (event.type === 'complete' || event.type === 'error') this.#current = undefined;
      if (!this.#outbox.sendOfRun(runId, event)) this.#tooLarge(run, event);
    };
    void runLoop(request, { emit, results: run.channel, signal: run.cancel.signal });
  }

  #compact(request: CompactRequest): void {
    const { requestId } = request;
    if (this.#current !== undefined) {
      this.#refuse('', 'busy', `run ${this.#current.runId} is still going on`);
      return;
    }
    const run = { runId: requestId, cancel: new AbortController(), channel: new ResultChannel() };
    this.#current = run;
    const emit = (event: CompactionEvent): void => {
      if (event.type === 'compacted' || event.type === 'error') this.#current = undefined;
      if (this.#outbox.sendOfCompaction(requestId, event)) return;
      const message = 'the conversation is larger than the engine accepts in one message';
      if (event.type !== 'model_request') this.#refuse('', 'context_overflow', message);
      else run.channel.failModel(event.request.requestId, new BulkheadError('context_overflow', message));
    };
    void compactConversation(request, { emit, results: run.channel, signal: run.cancel.signal });
  }

  /** What the engine would refuse for its size ends the run, not the connection. */
  #tooLarge({ runId, channel }: CurrentRun, event: LoopEvent): void {
    const message = 'the conversation is larger than the engine accepts in one message';
    const failure = new BulkheadError('context_overflow', message);
    if (event.type === 'model_request') channel.failModel(event.request.requestId, failure);
    else if (event.type === 'tool_call') channel.failToolResult(event.call.callId, failure);
    else if (event.type === 'tool_defs_request') channel.failToolDefs(event.callId, failure);
    else if (event.type === 'skills_request') channel.failSkills(event.callId, failure);
    else this.#refuse(runId, failure.code, message);
  }

  #refuse(runId: string, code: string, message: string): void {
    this.#outbox.send({ case: 'error', value: { runId, code, message } });
  }
}
