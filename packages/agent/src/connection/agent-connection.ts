import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { BulkheadError } from '@bulkhead/protocol';
import { type AttachRequest, AttachResponseSchema } from '@bulkhead/protocol/agent';
import type { AcceptedProcess } from '@bulkhead/wire';
import { EventOrder } from './event-order.ts';

/** What an agent says once it is ready. */
export type AgentEvent = Exclude<AttachRequest['event'], { case: undefined } | { case: 'ready' }>;

/** What an agent is told; values may be plain objects with the fields that matter. */
export type AgentDirective = Exclude<
  NonNullable<MessageInitShape<typeof AttachResponseSchema>['directive']>,
  { case?: undefined }
>;

/** How long an agent may take to end its half once the engine closes, in milliseconds. */
const CLOSE_GRACE_MS = 250;

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
  readonly #agent: AcceptedProcess<AttachRequest>;
  readonly #order = new EventOrder();

  constructor(agent: AcceptedProcess<AttachRequest>) {
    this.#agent = agent;
    this.closed = agent.closed;
    this.events = this.#read();
  }

  /**
   * Sends a directive after all that was sent before. For an agent that is gone it does nothing: the end of
   * `events` tells that.
   */
  send(directive: AgentDirective): void {
    this.#order.sent(directive.case, directive.case === 'process' ? (directive.value.runId ?? '') : '');
    const message = toBinary(AttachResponseSchema, create(AttachResponseSchema, { directive }));
    if (this.#agent.outbox.push(message)) return;
    // What the agent can't be told, nobody would wait for: it must not look as if it were at work.
    this.#agent.destroy(
      new BulkheadError('context_overflow', 'more is to be said than an agent accepts at once'),
    );
  }

  /** Lets what was sent go out and closes; within a quarter of a second even if the agent doesn't read. */
  close(): Promise<void> {
    return this.#agent.close(CLOSE_GRACE_MS);
  }

  async *#read(): AsyncGenerator<AgentEvent, void, undefined> {
    for await (const { event } of this.#agent.events) {
      const violation = this.#order.violation(event);
      if (violation !== undefined) throw new BulkheadError('protocol_violation', violation);
      if (event.case !== undefined && event.case !== 'ready') yield event;
    }
  }
}
