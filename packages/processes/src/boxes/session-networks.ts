import type { Timers } from '@bulkhead/protocol';
import type { Sandbox, SessionSpaces } from '@bulkhead/sandbox';

/** Time without a process in it after which a session's network is given up. */
const IDLE_MS = 60_000;

interface Kept {
  readonly spaces: Promise<SessionSpaces & Disposable>;
  users: number;
  idle: Disposable | undefined;
}

/**
 * The network that the commands of a session share: a server of one is reached by the next. It is
 * made for the first command, and exists as long as a process is in it, and a while longer. A lost
 * one loses nothing: no process was in it.
 */
export class SessionNetworks implements Disposable {
  readonly #sandbox: Pick<Sandbox, 'keepSession'>;
  readonly #timers: Timers;
  readonly #kept = new Map<string, Kept>();

  constructor(sandbox: Pick<Sandbox, 'keepSession'>, timers: Timers) {
    this.#sandbox = sandbox;
    this.#timers = timers;
  }

  /**
   * @returns the session's name spaces; dispose when all processes of the command have ended
   * @throws BulkheadError `sandbox_unavailable`; the next call tries again
   */
  async enter(sessionId: string): Promise<SessionSpaces & Disposable> {
    const kept = this.#kept.get(sessionId) ?? this.#make(sessionId);
    kept.idle?.[Symbol.dispose]();
    kept.idle = undefined;
    kept.users += 1;
    let left = false;
    const leave = (): void => {
      if (left) return;
      left = true;
      this.#leave(sessionId, kept);
    };
    try {
      const { users, network } = await kept.spaces;
      return { users, network, [Symbol.dispose]: leave };
    } catch (error) {
      if (this.#kept.get(sessionId) === kept) this.#kept.delete(sessionId);
      throw error;
    }
  }

  /** Gives all of them up; a process that is still in one keeps it. */
  [Symbol.dispose](): void {
    for (const [sessionId, kept] of this.#kept) this.#close(sessionId, kept);
  }

  #make(sessionId: string): Kept {
    const kept: Kept = { spaces: this.#sandbox.keepSession(), users: 0, idle: undefined };
    this.#kept.set(sessionId, kept);
    return kept;
  }

  #leave(sessionId: string, kept: Kept): void {
    kept.users -= 1;
    if (kept.users > 0 || this.#kept.get(sessionId) !== kept) return;
    kept.idle = this.#timers.after(IDLE_MS, () => this.#close(sessionId, kept));
  }

  #close(sessionId: string, kept: Kept): void {
    kept.idle?.[Symbol.dispose]();
    if (this.#kept.get(sessionId) === kept) this.#kept.delete(sessionId);
    kept.spaces.then((spaces) => spaces[Symbol.dispose]()).catch(() => {});
  }
}
