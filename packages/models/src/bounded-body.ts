import { BulkheadError } from '@bulkhead/protocol';
import { answerTooLong } from './answer-limit.ts';

/** Longest answer read from a provider, in bytes: far more than any model's longest. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** Longest error. */
const MAX_ERROR_BYTES = 1024 * 1024;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** How the events of a stream end, and the longest allowed event, in bytes. */
export interface EventLimit {
  readonly end: 'line' | 'empty line';
  readonly bytes: number;
}

/**
 * The same response with a limited body: an endless answer must not fill the memory [FT68, FR11],
 * and one giant event must not be parsed in one step [FG10].
 */
export function withBoundedBody(response: Response, events?: EventLimit): Response {
  const { body } = response;
  if (body === null) return response;
  const most = response.ok ? MAX_ANSWER_BYTES : MAX_ERROR_BYTES;
  const measure = response.ok && events !== undefined ? new EventMeasure(events) : undefined;
  let read = 0;
  const counted = body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        read += chunk.byteLength;
        if (read > most) controller.error(tooLong(most));
        else if (measure?.isTooLong(chunk) === true) {
          controller.error(answerTooLong('one event of the provider’s answer', measure.most));
        } else controller.enqueue(chunk);
      },
    }),
  );
  return new Response(counted, response);
}

/** Finds the longest event in a stream of bytes. */
class EventMeasure {
  readonly most: number;
  readonly #end: EventLimit['end'];
  /** Bytes of the current event, and of its current line. */
  #event = 0;
  #line = 0;
  #last = LINE_FEED;

  constructor({ end, bytes }: EventLimit) {
    this.#end = end;
    this.most = bytes;
  }

  /** @param chunk the next bytes */
  isTooLong(chunk: Uint8Array): boolean {
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
      const length = this.#line + at - from;
      const before = at > 0 ? chunk[at - 1] : this.#last;
      const isEmpty = length === 0 || (length === 1 && before === CARRIAGE_RETURN);
      this.#event += at - from + 1;
      if (this.#event > this.most) return true;
      if (isEmpty || this.#end === 'line') this.#event = 0;
      this.#line = 0;
      from = at + 1;
    }
    this.#line += chunk.length - from;
    this.#event += chunk.length - from;
    this.#last = chunk.at(-1) ?? this.#last;
    return this.#event > this.most;
  }
}

function tooLong(most: number): BulkheadError {
  return new BulkheadError('unknown_provider_error', `the provider sent more than ${most} bytes`, {
    fix: 'Check whether this is the address of a model provider.',
  });
}
