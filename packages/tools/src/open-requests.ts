import { BulkheadError } from '@bulkhead/protocol';
import type { AttachRequest } from '@bulkhead/protocol/worker';

export type WorkerEvent = AttachRequest['event'];

/**
 * Reads a worker's messages for one request.
 * @returns its answer, or undefined if more follows
 * @throws BulkheadError `protocol_violation` for a message that doesn't fit the request
 */
export type AnswerReader<Answer extends object> = (event: WorkerEvent) => Answer | undefined;

interface OpenRequest {
  /** @returns true if that was the answer */
  hear(event: WorkerEvent): boolean;
  reject(error: BulkheadError): void;
}

/** The worker's open requests, each answered once. Calls and inspections share one space of ids. */
export class OpenRequests {
  readonly #requests = new Map<string, OpenRequest>();

  /**
   * @returns the request's outcome, and a function that withdraws it before it is sent
   * @throws BulkheadError `internal` if a request of that id is open
   */
  open<Answer extends object>(
    id: string,
    read: AnswerReader<Answer>,
  ): { answer: Promise<Answer>; forget: () => void } {
    if (this.#requests.has(id)) throw new BulkheadError('internal', `the action ${id} runs already`);
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const hear = (event: WorkerEvent): boolean => {
      const answer = read(event);
      if (answer === undefined) return false;
      resolve(answer);
      return true;
    };
    this.#requests.set(id, { hear, reject });
    return { answer: promise, forget: () => this.#requests.delete(id) };
  }

  /**
   * @throws BulkheadError `protocol_violation` for anything a worker may not send after its
   * `WorkerReady`
   */
  receive({ event }: AttachRequest): void {
    const id = requestOf(event);
    const request = this.#requests.get(id);
    if (request === undefined) throw violation('an answer to no open call');
    if (request.hear(event)) this.#requests.delete(id);
  }

  failAll(error: BulkheadError): void {
    for (const request of this.#requests.values()) request.reject(error);
    this.#requests.clear();
  }
}

export function violation(what: string): BulkheadError {
  return new BulkheadError('protocol_violation', `the worker sent ${what}`);
}

function requestOf(event: WorkerEvent): string {
  if (event.case === 'progress' || event.case === 'finished') return event.value.actionId;
  if (event.case === 'inspected') return event.value.requestId;
  throw violation(`an unexpected message (${event.case ?? 'unknown'})`);
}
