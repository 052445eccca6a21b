import type { Duplex } from 'node:stream';
import type { Timers } from '@bulkhead/protocol';
import type { Access, Proof } from './proof.ts';

/** The sockets of a revoked proof may finish their answers for this long, in milliseconds. */
const LAST_WORDS_MS = 500;

/** Ties sockets to proofs: when a proof ends, its sockets are closed. */
export class ProvenSockets implements Disposable {
  readonly #sockets = new Map<string, Set<Duplex>>();
  readonly #endings = new Map<string, Set<() => void>>();
  readonly #subscription: Disposable;
  readonly #timers: Timers;

  constructor(access: Pick<Access, 'onEnd'>, timers: Timers) {
    this.#timers = timers;
    this.#subscription = access.onEnd((id) => this.#end(id));
  }

  bind({ id }: Proof, socket: Duplex): void {
    const sockets = this.#sockets.get(id) ?? new Set();
    this.#sockets.set(id, sockets);
    if (sockets.has(socket)) return;
    sockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      if (sockets.size === 0) this.#sockets.delete(id);
    });
  }

  /** Calls `ending` immediately when the proof ends. */
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
    this.#timers.after(LAST_WORDS_MS, () => {
      for (const socket of sockets) socket.destroy();
    });
  }
}
