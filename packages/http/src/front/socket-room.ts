import type { Duplex } from 'node:stream';

/** Sockets that have proved nothing yet. */
const MAX_STRANGERS = 128;
/** Sockets that have. */
const MAX_KNOWN = 256;

/**
 * How many sockets there may be at once. Where strangers fill their part, the one that came first makes room: so ten
 * thousand sockets that say nothing keep nobody out, and what a person has open is never among those that go.
 */
export class SocketRoom {
  readonly #strangers = new Set<Duplex>();
  readonly #known = new Set<Duplex>();

  enter(socket: Duplex): void {
    this.#strangers.add(socket);
    socket.once('close', () => {
      this.#strangers.delete(socket);
      this.#known.delete(socket);
    });
    if (this.#strangers.size <= MAX_STRANGERS) return;
    const [oldest] = this.#strangers;
    if (oldest === undefined) return;
    this.#strangers.delete(oldest);
    oldest.destroy();
  }

  /** The socket has proved whose it is. Over the bound it stays among the strangers. */
  keep(socket: Duplex): void {
    if (this.#known.size >= MAX_KNOWN || !this.#strangers.delete(socket)) return;
    this.#known.add(socket);
  }

  clear(): void {
    for (const socket of [...this.#strangers, ...this.#known]) socket.destroy();
  }
}
