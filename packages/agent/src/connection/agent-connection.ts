import type { ServerHttp2Stream } from 'node:http2';
import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { BulkheadError } from '@bulkhead/protocol';
import { type AttachRequest, AttachResponseSchema } from '@bulkhead/protocol/agent';
import { type Delta, Outbox } from '../wire/outbox.ts';
import type { AttachStream } from './attach-stream.ts';
import { EventOrder } from './event-order.ts';

/** What an agent says once it is ready. */
export type AgentEvent = Exclude<AttachRequest['event'], { case: undefined } | { case: 'ready' }>;

/** What an agent is told; values may be plain objects with the fields that matter. */
export type AgentDirective = Exclude<
  NonNullable<MessageInitShape<typeof AttachResponseSchema>['directive']>,
  { case?: undefined }
>;

/** Directives that may wait for an agent that doesn't read, in bytes. */
const MAX_QUEUED_BYTES = 64 * 1024 * 1024;

/** The engine's end of the connection to one agent. */
export class AgentConnection {
  /**
   * What the agent says, in order, for one consumer. Ends when the connection does; throws BulkheadError
   * `protocol_violation` if that was because the agent broke the protocol. The agent is held back while the
   * consumer is busy. Leaving the loop early closes the connection.
   */
  readonly events: AsyncIterable<AgentEvent>;
  /** Resolves once the connection is closed, for whatever reason; never rejects. */
  readonly closed: Promise<void>;
  readonly #attach: AttachStream;
  readonly #order = new EventOrder();
  readonly #outbox: Outbox;

  /** @param messages what follows AgentReady on `stream` */
  constructor(attach: AttachStream, stream: ServerHttp2Stream, messages: AsyncGenerator<AttachRequest>) {
    this.#attach = attach;
    this.closed = attach.closed;
    this.events = this.#read(messages);
    this.#outbox = new Outbox(stream, {
      encodeDelta,
      maxQueuedBytes: MAX_QUEUED_BYTES,
      onOverflow: () => attach.destroy(new BulkheadError('protocol_violation', 'the agent does not read')),
    });
  }

  /**
   * Sends a directive after all that was sent before. For an agent that is gone it does nothing: the end of
   * `events` tells that.
   */
  send(directive: AgentDirective): void {
    this.#order.sent(directive.case, directive.case === 'process' ? (directive.value.runId ?? '') : '');
    this.#outbox.push(toBinary(AttachResponseSchema, create(AttachResponseSchema, { directive })));
  }

  /** Sends a piece of a model's answer; pieces of one tick, kind and request go out as one message. */
  sendModelDelta(requestId: string, kind: Delta['kind'], text: string): void {
    this.#outbox.pushDelta({ requestId, kind, text });
  }

  /** Lets what was sent go out and closes; within a quarter of a second even if the agent doesn't read. */
  async close(): Promise<void> {
    this.#outbox.end();
    await this.#attach.close();
  }

  async *#read(messages: AsyncGenerator<AttachRequest>): AsyncGenerator<AgentEvent, void, undefined> {
    try {
      for await (const { event } of messages) {
        const violation = this.#order.violation(event);
        if (violation !== undefined) throw new BulkheadError('protocol_violation', violation);
        if (event.case !== undefined && event.case !== 'ready') yield event;
      }
    } catch (error) {
      // Other errors say that the connection broke off: an end like any other, unless the agent is to blame.
      if (BulkheadError.is(error)) this.#attach.destroy(error);
    } finally {
      this.#attach.destroy();
    }
    // The stream ends before its session says why.
    await this.closed;
    if (this.#attach.failure !== undefined) throw this.#attach.failure;
  }
}

function encodeDelta({ requestId, kind, text }: Delta): Uint8Array {
  const message = create(AttachResponseSchema, {
    directive: { case: 'modelDelta', value: { requestId, delta: { case: kind, value: text } } },
  });
  return toBinary(AttachResponseSchema, message);
}
