import type { Duplex } from 'node:stream';
import type { Timers } from '@bulkhead/protocol';
import type { Access, Proof } from './proof.ts';

/** A revoked proof's sockets may finish what they are saying for this long, in milliseconds. */
const LAST_WORDS_MS = 500;

/** Which sockets live by which proof: when it ends, they do. */
export class ProvenSockets implements Disposable {
  readonly #sockets = new Map<string, Set<Duplex>>();
  readonly #known = new WeakSet<Duplex>();
  readonly #endings = new Map<string, Set<() => void>>();
  readonly #subscription: Disposable;
  readonly #timers: Timers;

  constructor(access: Pick<Access, 'onEnd'>, timers: Timers) {
    this.#timers = timers;
    this.#subscription = access.onEnd((id) => this.#end(id));
  }

  /** True if it proved whose it is before: what it sends now is no stranger's guess. */
  isKnown(socket: Duplex): boolean {
    return this.#known.has(socket);
  }

  bind({ id }: Proof, socket: Duplex): void {
    const sockets = this.#sockets.get(id) ?? new Set();
    this.#sockets.set(id, sockets);
    this.#known.add(socket);
    if (sockets.has(socket)) return;
    sockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      if (sockets.size === 0) this.#sockets.delete(id);
    });
  }

  /** A wrong secret came over it: it is a stranger's again, until it proves itself anew. */
  doubt(socket: Duplex): void {
    this.#known.delete(socket);
  }

  /** Calls `ending` at once when the proof ends. */
  onEnd({ id }: Proof, ending: () => void): Disposable {
    const endings = this.#endings.get(id) ?? new Set();
    this.#endings.set(id, endings);
    endings.add(ending);
    return {
      [Symbol.dispose]: () => {
        endings.delete(ending);
        if (endings.size === 0) this.#endings.delete(id);
      },
    };
  }

  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]();
  }

  #end(id: string): void {
    for (const ending of this.#endings.get(id) ?? []) ending();
    const sockets = [...(this.#sockets.get(id) ?? [])];
    for (const socket of sockets) this.#known.delete(socket);
    this.#timers.after(LAST_WORDS_MS, () => {
      for (const socket of sockets) socket.destroy();
    });
  }
}
