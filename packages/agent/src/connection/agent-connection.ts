import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { BulkheadError } from '@bulkhead/protocol';
import { type AttachRequest, type AttachResponse, AttachResponseSchema } from '@bulkhead/protocol/agent';
import type { AcceptedProcess } from '@bulkhead/wire';

/** The data a ready agent reports. */
export type AgentEvent = Exclude<AttachRequest['event'], { case: undefined } | { case: 'ready' }>;

/** Directives to an agent; values may be plain objects with the relevant fields. */
export type AgentDirective = Exclude<
  NonNullable<MessageInitShape<typeof AttachResponseSchema>['directive']>,
  { case?: undefined }
>;

/** How long an agent may take to end its half once the engine closes, in milliseconds. */
const CLOSE_GRACE_MS = 250;

/** The engine's end of the connection to one agent. */
export class AgentConnection {
  /**
   * The agent's events, in order, for one consumer. Ends when the connection does; throws
   * BulkheadError `protocol_violation` if the agent broke the protocol. A busy consumer slows the
   * agent down. Leaving the loop early closes the connection.
   */
  readonly events: AsyncIterable<AgentEvent>;
  /** Resolves once the connection is closed, for any reason; never rejects. */
  readonly closed: Promise<void>;
  readonly #agent: AcceptedProcess<AttachRequest>;
  readonly #order = new EventOrder();

  constructor(agent: AcceptedProcess<AttachRequest>) {
    this.#agent = agent;
    this.closed = agent.closed;
    this.events = this.#read();
  }

  /**
   * Sends a directive after all earlier ones. Does nothing if the agent is gone: the end of
   * `events` reports that.
   */
  send(directive: AgentDirective): void {
    this.#order.sent(directive.case, directive.case === 'process' ? (directive.value.runId ?? '') : '');
    const message = toBinary(AttachResponseSchema, create(AttachResponseSchema, { directive }));
    if (this.#agent.outbox.push(message)) return;
    // An undeliverable directive ends the connection: otherwise the agent would seem to be working
    // forever.
    this.#agent.destroy(
      new BulkheadError('context_overflow', 'more is to be said than an agent accepts at once'),
    );
  }

  /**
   * Closes after sending pending data; within a quarter of a second even if the agent doesn't read.
   */
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

type AgentDirectiveName = AttachResponse['directive']['case'];

/**
 * Knows which events an agent may send at a given moment. Checks only the order: the engine judges
 * proposals.
 */
export class EventOrder {
  readonly #runs = new Set<string>();

  /** Notes a directive that was sent. */
  sent(directive: AgentDirectiveName, runId: string): void {
    if (directive === 'process') this.#runs.add(runId);
  }

  /** @returns the violation by `event`, or undefined if it may come now */
  violation(event: AttachRequest['event']): string | undefined {
    switch (event.case) {
      case undefined:
        return 'the agent sent an event this version does not know';
      case 'ready':
        return 'the agent said twice that it is ready';
      case 'complete':
      case 'error':
        if (this.#runs.delete(event.value.runId)) return undefined;
        return `the agent sent ${event.case} for a run it was not given`;
      default:
        return this.#runs.size === 0 ? `the agent sent ${event.case} outside a run` : undefined;
    }
  }
}
