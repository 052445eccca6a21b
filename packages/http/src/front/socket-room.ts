import type { Duplex } from 'node:stream';

/** Sockets that have proved nothing yet. */
const MAX_STRANGERS = 128;
/** Sockets of the owner's token and of all logins. */
const MAX_OWNERS = 256;
/** Sockets of one program; it may have half as many requests under way. */
const MAX_OF_PROGRAM = 32;
/** Sockets of all programs together. */
const MAX_PROGRAMS = 256;

/** The holder of the token or login that a socket was authenticated with. */
export interface SocketHolder {
  readonly id: string;
  readonly isProgram: boolean;
}

/**
 * Limits the sockets that are open at once, in three parts that don't take from each other.
 * Strangers: the oldest makes room. The owner: the oldest socket of the token or login with the
 * most sockets makes room, so the owner always gets in and a runaway script closes its own.
 * Programs: each has a share and is refused beyond it. So neither ten thousand silent sockets nor a
 * program that opens all it can keeps other callers out.
 */
export class SocketRoom {
  readonly #strangers = new Set<Duplex>();
  readonly #owners = new Shares();
  readonly #programs = new Shares();

  enter(socket: Duplex): void {
    this.#strangers.add(socket);
    socket.once('close', () => this.#forget(socket));
    if (this.#strangers.size <= MAX_STRANGERS) return;
    const [oldest] = this.#strangers;
    if (oldest === undefined) return;
    this.#strangers.delete(oldest);
    oldest.destroy();
  }

  /**
   * Marks a socket as its holder's; before, it may have been another's.
   * @returns false if its program has no room for it: refuse and close it
   */
  keep(socket: Duplex, { id, isProgram }: SocketHolder): boolean {
    const shares = isProgram ? this.#programs : this.#owners;
    if (shares.has(id, socket)) return true;
    if (isProgram && (shares.of(id) >= MAX_OF_PROGRAM || shares.size >= MAX_PROGRAMS)) return false;
    if (!isProgram && shares.size >= MAX_OWNERS) shares.takeOldestOfLargest()?.destroy();
    this.#forget(socket);
    shares.add(id, socket);
    return true;
  }

  clear(): void {
    for (const socket of [...this.#strangers, ...this.#owners.all(), ...this.#programs.all()])
      socket.destroy();
  }

  #forget(socket: Duplex): void {
    this.#strangers.delete(socket);
    this.#owners.delete(socket);
    this.#programs.delete(socket);
  }
}

/** Sockets by their holders, oldest first. */
class Shares {
  readonly #shares = new Map<string, Set<Duplex>>();
  readonly #holders = new Map<Duplex, string>();

  get size(): number {
    return this.#holders.size;
  }

  of(holder: string): number {
    return this.#shares.get(holder)?.size ?? 0;
  }

  has(holder: string, socket: Duplex): boolean {
    return this.#holders.get(socket) === holder;
  }

  add(holder: string, socket: Duplex): void {
    const share = this.#shares.get(holder) ?? new Set();
    this.#shares.set(holder, share.add(socket));
    this.#holders.set(socket, holder);
  }

  delete(socket: Duplex): void {
    const holder = this.#holders.get(socket);
    if (holder === undefined) return;
    this.#holders.delete(socket);
    const share = this.#shares.get(holder);
    share?.delete(socket);
    if (share?.size === 0) this.#shares.delete(holder);
  }

  takeOldestOfLargest(): Duplex | undefined {
    const [largest] = [...this.#shares.values()].toSorted((left, right) => right.size - left.size);
    const [oldest] = largest ?? [];
    if (oldest !== undefined) this.delete(oldest);
    return oldest;
  }

  all(): Iterable<Duplex> {
    return this.#holders.keys();
  }
}
