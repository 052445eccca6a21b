import type { Http2Session, ServerHttp2Session } from 'node:http2';
import { CallRoom, type OpenCall } from '@bulkhead/http/front';
import { BulkheadError } from '@bulkhead/protocol';

/** Accepted connections of clients; as many more are opened only to be refused with an error. */
export const MOST_CONNECTIONS = 256;
/** Calls and watches of all connections; each connection can always have a few. */
const MOST_CALLS = 2_048;
const ALWAYS_CALLS = 4;

/**
 * The connections of clients. Beyond `MOST_CONNECTIONS` the oldest idle one makes room; if none is
 * idle, the calls of a new one are refused, so that none displaces a working one.
 */
export class ClientConnections {
  readonly #sessions = new Map<Http2Session, { readonly id: string; calls: number }>();
  readonly #room = new CallRoom();
  readonly #drop: (session: Http2Session) => void;
  #count = 0;
  #calls = 0;

  constructor(drop: (session: Http2Session) => void) {
    this.#drop = drop;
  }

  add(session: ServerHttp2Session): void {
    this.#count += 1;
    if (this.#sessions.size >= MOST_CONNECTIONS) {
      const idle = [...this.#sessions].find(([, { calls }]) => calls === 0);
      if (idle !== undefined) {
        this.#sessions.delete(idle[0]);
        this.#drop(idle[0]);
      }
    }
    if (this.#sessions.size < MOST_CONNECTIONS)
      this.#sessions.set(session, { id: `${this.#count}`, calls: 0 });
    session.on('close', () => this.#sessions.delete(session));
  }

  /** @throws BulkheadError `rate_limit` */
  enter(session: Http2Session | undefined): OpenCall {
    const held = session === undefined ? undefined : this.#sessions.get(session);
    if (held === undefined) {
      throw new BulkheadError(
        'rate_limit',
        `${MOST_CONNECTIONS} connections of clients are at work already`,
        {
          fix: 'Close some, and try again.',
          retryable: true,
        },
      );
    }
    if (this.#calls >= MOST_CALLS && held.calls >= ALWAYS_CALLS) {
      throw new BulkheadError('rate_limit', `${MOST_CALLS} calls of clients are under way already`, {
        fix: 'Wait for some to end, and try again.',
        retryable: true,
      });
    }
    const call = this.#room.enter(held.id);
    held.calls += 1;
    this.#calls += 1;
    return {
      arrived: (bytes) => call.arrived(bytes),
      [Symbol.dispose]: () => {
        held.calls -= 1;
        this.#calls -= 1;
        call[Symbol.dispose]();
      },
    };
  }
}
