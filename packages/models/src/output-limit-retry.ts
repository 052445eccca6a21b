import { BulkheadError, type ModelCall, type ModelStreamEvent } from '@bulkhead/protocol';
import { LARGE_ANSWER, SMALL_ANSWER } from './catalogue/output-limit.ts';

type Stream = (call: ModelCall, signal: AbortSignal) => AsyncIterable<ModelStreamEvent>;

/** A refusal is about the output limit if it names it; providers have their own words for it. */
const NAMES_IT =
  /max_?(completion_|output_|new_)?tokens|maxOutputTokens|num_predict|(output|completion) tokens|in the completion/i;

/** Numbers that a refusal states as the limit, in tokens. */
const STATED =
  /(?:at most|can only afford|less than or equal to|<=|maximum (?:allowed )?(?:value|number)(?: of [a-z ]+)? is|supports up to)\s+([\d,]+)|> ([\d,]+)(?: - ([\d,]+))?/i;

/** A limit of one request, by its length or its price: not one of the model. */
const OF_THIS_REQUEST = /context|afford|credits|prompt|input/i;

/**
 * Sends requests, and repeats one whose output limit its provider refuses, once, with a smaller
 * one. A limit of the model itself holds for later requests too.
 */
export class OutputLimitRetry {
  readonly #stream: Stream;
  #learned: number | undefined;

  constructor(stream: Stream) {
    this.#stream = stream;
  }

  async *stream(call: ModelCall, signal: AbortSignal): AsyncGenerator<ModelStreamEvent, void, undefined> {
    const limited = this.#limited(call);
    let answered = false;
    try {
      for await (const event of this.#stream(limited, signal)) {
        answered = true;
        yield event;
      }
      return;
    } catch (error) {
      const smaller = answered || signal.aborted ? undefined : this.#smaller(error, limited.maxOutputTokens);
      if (smaller === undefined) throw error;
      yield* this.#stream({ ...call, maxOutputTokens: smaller }, signal);
    }
  }

  #limited(call: ModelCall): ModelCall {
    const { maxOutputTokens: wished } = call;
    if (this.#learned === undefined) return call;
    return { ...call, maxOutputTokens: Math.min(wished ?? this.#learned, this.#learned) };
  }

  /** The limit of the second request; undefined if the error is about something else. */
  #smaller(error: unknown, sent: number | undefined): number | undefined {
    if (!BulkheadError.is(error)) return undefined;
    const { status, message } = error.details;
    const text = typeof message === 'string' ? message : error.message;
    if (typeof status !== 'number' || status >= 500 || !NAMES_IT.test(text)) return undefined;
    if (sent === undefined) {
      this.#learned = LARGE_ANSWER;
      return LARGE_ANSWER;
    }
    const stated = statedLimit(text);
    const isStated = stated !== undefined && stated >= 1 && stated < sent;
    if (isStated && !OF_THIS_REQUEST.test(text)) this.#learned = stated;
    if (isStated) return stated;
    return sent > SMALL_ANSWER ? SMALL_ANSWER : undefined;
  }
}

function statedLimit(text: string): number | undefined {
  const match = STATED.exec(text);
  const [, phrase, above, minus] = match ?? [];
  const value = phrase ?? above;
  return value === undefined ? undefined : numberOf(value) - numberOf(minus ?? '0');
}

function numberOf(text: string): number {
  return Number(text.replaceAll(',', ''));
}
