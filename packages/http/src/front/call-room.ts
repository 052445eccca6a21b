import { BulkheadError } from '@bulkhead/protocol';

/** Calls and watches that one client may have under way. */
const MOST_CALLS = 256;
/** Bytes of requests that one client may send at the same time: several of the largest. */
const MOST_BYTES = 64 * 1024 * 1024;

/** A call that is under way; disposing it ends it. */
export interface OpenCall extends Disposable {
  /**
   * Counts arrived bytes of the request. @throws BulkheadError `rate_limit` (429) if its client
   * sends too much at once
   */
  arrived(bytes: number): void;
}

/**
 * Limits the calls that each client has under way, on every way in: a token or login at the port, a
 * connection at the socket. One client never uses up the room of another.
 */
export class CallRoom {
  readonly #clients = new Map<string, { calls: number; bytes: number }>();
  readonly #most: { readonly calls: number; readonly bytes: number };

  constructor(most = { calls: MOST_CALLS, bytes: MOST_BYTES }) {
    this.#most = most;
  }

  /** @throws BulkheadError `rate_limit` (429) */
  enter(client: string): OpenCall {
    const held = this.#clients.get(client) ?? { calls: 0, bytes: 0 };
    if (held.calls >= this.#most.calls) {
      throw tooMuch(`${this.#most.calls} calls and watches of this client are under way already`);
    }
    held.calls += 1;
    this.#clients.set(client, held);
    let own = 0;
    let isOver = false;
    return {
      arrived: (bytes) => {
        if (isOver) return;
        if (held.bytes + bytes > this.#most.bytes) {
          throw tooMuch(`this client sends more than ${this.#most.bytes} bytes of requests at the same time`);
        }
        own += bytes;
        held.bytes += bytes;
      },
      [Symbol.dispose]: () => {
        if (isOver) return;
        isOver = true;
        held.calls -= 1;
        held.bytes -= own;
        if (held.calls === 0) this.#clients.delete(client);
      },
    };
  }
}

function tooMuch(message: string) {
  return new BulkheadError('rate_limit', message, {
    fix: 'Wait for one of them to end, or end one.',
    retryable: true,
    details: { status: 429, retryAfterSeconds: 1 },
  });
}
