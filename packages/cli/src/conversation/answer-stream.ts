import type { SessionEvent } from '@bulkhead/protocol';
import type { Output } from '../output/output.ts';

/**
 * Prints what the assistant says as it comes. The finished message has the last word: whatever of it was
 * not streamed (the connection was lost, deltas were dropped) is printed when it ends.
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
      // What a broken attempt said is no beginning of what the next one says.
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
