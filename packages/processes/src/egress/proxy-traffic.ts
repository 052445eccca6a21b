import { once } from 'node:events';
import type { Duplex, Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { BulkheadError } from '@bulkhead/protocol';

/** Traffic through one action's proxy so far. */
export interface ProxyStats {
  readonly connections: number;
  readonly bytes: number;
  /** `host:port` of each reached server, without duplicates. */
  readonly reached: readonly string[];
  /** `host:port` of each server that was asked for, and that only the action's list forbids. */
  readonly needed: readonly string[];
  /** The first other refusals with their reasons, in words. */
  readonly refusals: readonly string[];
}

const MAX_REMEMBERED = 50;

/** Counts one action's traffic and ends it beyond its limits. */
export class ProxyTraffic {
  readonly #maxBytes: number;
  readonly #reached = new Set<string>();
  readonly #needed = new Set<string>();
  readonly #refusals: string[] = [];
  #connections = 0;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get stats(): ProxyStats {
    return {
      connections: this.#connections,
      bytes: this.#bytes,
      reached: [...this.#reached],
      needed: [...this.#needed],
      refusals: [...this.#refusals],
    };
  }

  reach(place: string): void {
    this.#connections += 1;
    if (this.#reached.size < MAX_REMEMBERED) this.#reached.add(place);
  }

  need(place: string): void {
    if (this.#needed.size < MAX_REMEMBERED) this.#needed.add(place);
  }

  refuse(why: string): void {
    if (this.#refusals.length < MAX_REMEMBERED) this.#refusals.push(why);
  }

  /**
   * Copies data from one end to the other until it ends.
   * @throws BulkheadError `blocked` beyond the action's limit; Error of either end; the signal's
   *   reason
   */
  async carry(from: AsyncIterable<Buffer>, to: Writable, signal: AbortSignal): Promise<void> {
    for await (const chunk of from) {
      signal.throwIfAborted();
      this.#bytes += chunk.length;
      if (this.#bytes > this.#maxBytes) {
        throw new BulkheadError('blocked', `the command moved more than ${this.#maxBytes} bytes`);
      }
      if (!to.write(chunk)) await once(to, 'drain', { signal });
    }
    to.end();
    // The caller may close both ends next: written data must be out by then.
    await finished(to, { readable: false, signal });
  }
}

/** Ends connections on the signal, or when any of them is silent for `idleMs`. */
export function endWith(
  signal: AbortSignal,
  idleMs: number,
  ...streams: readonly (Duplex & IdleTimeout)[]
): Disposable {
  const end = (): void => {
    for (const stream of streams) stream.destroy();
  };
  for (const stream of streams) {
    stream.on('error', end);
    stream.setTimeout(idleMs, end);
  }
  signal.addEventListener('abort', end, { once: true });
  return {
    [Symbol.dispose]: () => {
      signal.removeEventListener('abort', end);
      end();
    },
  };
}

interface IdleTimeout {
  setTimeout(ms: number, end: () => void): unknown;
}

/** The pieces of a byte stream; another consumer can continue after it. */
export function piecesOf(stream: Readable): AsyncIterableIterator<Buffer> {
  return stream[Symbol.asyncIterator]();
}
