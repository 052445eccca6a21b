import { Bell } from './bell.ts';

/** Messages on their way out: pushed by whoever has one, taken in order by the one stream that sends them. */
export class Outbox<Message> implements AsyncIterable<Message> {
  readonly #waiting: Message[] = [];
  readonly #bell = new Bell();
  #closed = false;

  /** @returns false if the outbox is closed: the message goes nowhere */
  push(message: Message): boolean {
    if (this.#closed) return false;
    this.#waiting.push(message);
    this.#bell.ring();
    return true;
  }

  /** Ends the stream after what is waiting. */
  close(): void {
    this.#closed = true;
    this.#bell.ring();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Message> {
    while (true) {
      const next = this.#waiting.shift();
      if (next !== undefined) yield next;
      else if (this.#closed) return;
      else await this.#bell.wait();
    }
  }
}
