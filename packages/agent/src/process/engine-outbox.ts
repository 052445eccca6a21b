import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { type AttachRequest, AttachRequestSchema } from '@bulkhead/protocol/agent';
import type { Outbox } from '@bulkhead/wire';
import type { CompactionEvent } from '../compaction/compaction-event.ts';
import type { LoopEvent } from '../loop/loop-event.ts';
import { type Delta, DeltaMessage } from '../wire/delta-message.ts';

type Event = Exclude<MessageInitShape<typeof AttachRequestSchema>['event'], undefined>;

/** Where the agent's events go on their way to the engine. */
export class EngineOutbox {
  readonly #outbox: Outbox;

  constructor(outbox: Outbox) {
    this.#outbox = outbox;
  }

  /** @returns false if the event is larger than the engine accepts; then nothing was sent */
  send(event: Event): boolean {
    return this.#outbox.push(toBinary(AttachRequestSchema, create(AttachRequestSchema, { event })));
  }

  /** As `send`, for what the loop says. */
  sendOfRun(runId: string, event: LoopEvent): boolean {
    if (event.type === 'token' || event.type === 'thinking') {
      const kind = event.type === 'token' ? 'text' : 'thinking';
      const delta = { kind, requestId: '', text: event.text } as const;
      this.#outbox.pushMergeable(new DeltaMessage(delta, encodeDelta));
      return true;
    }
    return this.send(wireEvent(runId, event));
  }

  /** As `send`, for what a compaction says. */
  sendOfCompaction(requestId: string, event: CompactionEvent): boolean {
    return this.send(compactionEvent(requestId, event));
  }
}

/** @param requestId of the CompactRequest */
function compactionEvent(requestId: string, event: CompactionEvent): Event {
  switch (event.type) {
    case 'model_request':
      return { case: 'modelRequest', value: event.request };
    case 'facts':
      return { case: 'memoryFlush', value: { requestId, facts: [...event.facts] } };
    case 'compacted':
      return { case: 'compactionResult', value: { requestId, summary: event.answer } };
    case 'error':
      return { case: 'error', value: { runId: '', code: event.code, message: event.message } };
  }
}

function wireEvent(runId: string, event: Exclude<LoopEvent, { type: 'token' | 'thinking' }>): Event {
  switch (event.type) {
    case 'model_request':
      return { case: 'modelRequest', value: event.request };
    case 'tool_call':
      return { case: 'toolCall', value: { call: event.call } };
    case 'tool_defs_request':
      return { case: 'toolDefsRequest', value: { callId: event.callId, groups: [...event.groups] } };
    case 'skills_request':
      return { case: 'skillLoaded', value: { callId: event.callId, names: [...event.names] } };
    case 'complete': {
      const { content, thoughts, end } = event;
      return { case: 'complete', value: { runId, content, thoughts: [...thoughts], end } };
    }
    case 'error':
      return { case: 'error', value: { runId, code: event.code, message: event.message } };
  }
}

function encodeDelta({ kind, text }: Delta): Uint8Array {
  const event: AttachRequest['event'] | Event =
    kind === 'text' ? { case: 'token', value: { text } } : { case: 'thinking', value: { text } };
  return toBinary(AttachRequestSchema, create(AttachRequestSchema, { event }));
}
