import { receivedError, sentError, type ThreadMessage, type ThreadValue } from './thread-messages.ts';

/** One end of a thread's channel. */
export interface ThreadPort {
  postMessage(message: unknown): void;
}

/** Answers the other end's questions. */
export type Answer<Asked> = (asked: Asked, signal: AbortSignal) => Promise<ThreadValue>;

interface Waiting {
  resolve(value: ThreadValue): void;
  reject(error: Error): void;
}

/** Questions and answers over one channel, in both directions, each of which can be cancelled. */
export class Conversation<Asks, Answers> {
  readonly #port: ThreadPort;
  readonly #answer: Answer<Answers>;
  readonly #waiting = new Map<number, Waiting>();
  readonly #answering = new Map<number, AbortController>();
  #next = 1;

  constructor(port: ThreadPort, answer: Answer<Answers>) {
    this.#port = port;
    this.#answer = answer;
  }

  /** The number of questions without an answer yet. */
  get open(): number {
    return this.#waiting.size;
  }

  /** @throws the other end's error, the signal's reason, or the error given to `end` */
  async ask(asked: Asks, signal?: AbortSignal): Promise<ThreadValue> {
    signal?.throwIfAborted();
    const id = this.#next;
    this.#next += 1;
    const { promise, resolve, reject } = Promise.withResolvers<ThreadValue>();
    this.#waiting.set(id, { resolve, reject });
    const cancel = () => {
      this.#port.postMessage({ kind: 'cancel', id } satisfies ThreadMessage<Asks>);
      reject(signal?.reason instanceof Error ? signal.reason : new Error('cancelled'));
    };
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      this.#port.postMessage({ kind: 'ask', id, asked } satisfies ThreadMessage<Asks>);
      return await promise;
    } finally {
      signal?.removeEventListener('abort', cancel);
      this.#waiting.delete(id);
    }
  }

  /** Handles a message from the other end. */
  receive(message: ThreadMessage<Answers>): void {
    switch (message.kind) {
      case 'ask':
        void this.#reply(message.id, message.asked);
        break;
      case 'cancel':
        this.#answering.get(message.id)?.abort();
        break;
      case 'answer':
        this.#waiting.get(message.id)?.resolve(message.value);
        break;
      case 'failure':
        this.#waiting.get(message.id)?.reject(receivedError(message.error));
        break;
      case 'notice':
        break;
    }
  }

  /** The other end has ended: no more answers come. */
  end(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    for (const controller of this.#answering.values()) controller.abort();
  }

  async #reply(id: number, asked: Answers): Promise<void> {
    const controller = new AbortController();
    this.#answering.set(id, controller);
    try {
      const value = await this.#answer(asked, controller.signal);
      this.#port.postMessage({ kind: 'answer', id, value } satisfies ThreadMessage<Asks>);
    } catch (error) {
      this.#port.postMessage({ kind: 'failure', id, error: sentError(error) } satisfies ThreadMessage<Asks>);
    } finally {
      this.#answering.delete(id);
    }
  }
}
