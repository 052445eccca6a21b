import { BulkheadError } from '@bulkhead/protocol';
import type { AttachRequest } from '@bulkhead/protocol/worker';

export type WorkerEvent = AttachRequest['event'];

/**
 * Reads what a worker says to one request.
 * @returns its answer, or undefined while more is to come
 * @throws BulkheadError `protocol_violation` for what may not be said to such a request
 */
export type AnswerReader<Answer extends object> = (event: WorkerEvent) => Answer | undefined;

interface OpenRequest {
  /** @returns true if that was the answer */
  hear(event: WorkerEvent): boolean;
  reject(error: BulkheadError): void;
}

/** The requests a worker still owes an answer, each answered once. Ids of calls and of inspections are one space. */
export class OpenRequests {
  readonly #requests = new Map<string, OpenRequest>();

  /**
   * @returns what comes of the request, and how to take it back before it was sent
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

  /** @throws BulkheadError `protocol_violation` for anything a worker may not send after its `WorkerReady` */
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
