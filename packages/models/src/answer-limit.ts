import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { BulkheadError } from '@bulkhead/protocol';

const MEBIBYTE = 1024 * 1024;

/**
 * Longest answer of a model, in characters of text, thinking and arguments together: several times
 * any model's maximum. Work on a whole answer (redaction, log, events) blocks the thread, so this
 * limits it [FG10].
 */
const MAX_ANSWER = MEBIBYTE;

/**
 * Longest event of the stream, in bytes, which is parsed in one step: a whole answer in one piece,
 * fully escaped.
 */
export const MAX_EVENT_BYTES = 2 * MEBIBYTE;

/** Counts a model's output, and ends an answer that is too long. */
export class AnswerLimit {
  readonly #name: string;
  #said = 0;
  /** Arguments that arrived in pieces: the whole call repeats them. */
  #pieces = 0;

  /** @param name `provider/model` */
  constructor(name: string) {
    this.#name = name;
  }

  /** @throws BulkheadError `answer_limit`, not retryable */
  add(part: LanguageModelV4StreamPart): void {
    if (part.type === 'text-delta' || part.type === 'reasoning-delta') this.#said += part.delta.length;
    if (part.type === 'tool-input-delta') this.#pieces += part.delta.length;
    if (part.type === 'tool-call') {
      this.#said += part.input.length;
      this.#pieces = 0;
    }
    if (this.#said + this.#pieces > MAX_ANSWER)
      throw answerTooLong(`the answer of ${this.#name}`, MAX_ANSWER);
  }
}

/** @param what the subject that exceeded `most` bytes or characters */
export function answerTooLong(what: string, most: number): BulkheadError {
  const megabytes = most / MEBIBYTE;
  return new BulkheadError(
    'answer_limit',
    `${what} was larger than ${megabytes} MiB: reading stopped, and nothing was kept`,
    {
      details: { limitBytes: most },
      fix: 'Ask for less at once, or for a file that is written in parts. Check the model if it repeats itself.',
    },
  );
}
