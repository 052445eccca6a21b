import type { SessionEvent } from '@bulkhead/protocol';
import type { Output } from '../output/output.ts';

/**
 * Prints the assistant's answer as it streams. The finished message decides: text that was not
 * streamed (lost connection, dropped deltas) is printed at its end.
 */
export class AnswerStream {
  readonly #output: Output;
  #streamed = '';

  constructor(output: Output) {
    this.#output = output;
  }

  show(event: SessionEvent): void {
    if (event.type === 'text_delta') {
      this.#streamed += event.text;
      this.#output.content(event.text);
    } else if (event.type === 'retry_start' || event.type === 'run_resumed') {
      // The text of a failed attempt is not the start of the next attempt's text.
      this.#streamed = '';
      this.#output.freshLine();
    } else if (event.type === 'message_end' && event.role === 'assistant') {
      this.#finish(event.text);
    }
  }

  #finish(text: string): void {
    const streamed = this.#streamed;
    this.#streamed = '';
    if (text.startsWith(streamed)) {
      this.#output.content(text.slice(streamed.length));
    } else {
      this.#output.freshLine();
      this.#output.content(text);
    }
    this.#output.freshLine();
  }
}
