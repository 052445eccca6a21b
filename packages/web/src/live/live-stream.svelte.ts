import { ALL_SESSIONS, PROOF_ENDED, type SessionEvent } from '@bulkhead/protocol';
import { parseEvent } from '@bulkhead/protocol/transcript';

/** `away`: the connection is gone and is tried again. `refused`: the engine does not know us any more. */
export type LinkState = 'connecting' | 'open' | 'away' | 'refused';

/** Who wants events of a session. */
export interface Watcher {
  /** The last durable event it has: it is given what comes after. */
  after(): number;
  /** In order, never empty. What it has already may come again. */
  take(events: readonly SessionEvent[]): void;
  /** The connection was made anew: deltas may be missing from here on. */
  missed(): void;
}

export interface LiveOptions {
  readonly connect: () => WebSocket;
  /** Why a connection ended: true if we have to log in. */
  readonly isRefused: () => Promise<boolean>;
  readonly setTimer: (work: () => void, milliseconds: number) => void;
  readonly random: () => number;
}

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;
/** Events are handed on together this often: a page draws no faster. */
const BATCH_MS = 16;

/**
 * A WebSocket that connects again by itself, and asks for what comes after the last event that each watcher has: nothing is lost.
 * Watchers of one session and those of all sessions need two of these, for it does not read of which watch a line is.
 */
export class LiveStream {
  readonly #options: LiveOptions;
  readonly #watchers = new Map<string, Set<Watcher>>();
  #socket: WebSocket | undefined;
  #waiting: SessionEvent[] = [];
  #pause = FIRST_PAUSE_MS;
  #stopped = true;
  #state: LinkState = $state('connecting');

  constructor(options: LiveOptions) {
    this.#options = options;
  }

  get state(): LinkState {
    return this.#state;
  }

  start(): void {
    if (!this.#stopped) return;
    this.#stopped = false;
    this.#connect();
  }

  stop(): void {
    this.#stopped = true;
    this.#socket?.close();
  }

  /** @param session one session, or `ALL_SESSIONS`. @returns what ends the watching */
  watch(session: string, watcher: Watcher): () => void {
    const watchers = this.#watchers.get(session) ?? new Set();
    watchers.add(watcher);
    this.#watchers.set(session, watchers);
    this.#ask(session);
    return () => {
      watchers.delete(watcher);
      if (watchers.size > 0) return;
      this.#watchers.delete(session);
      this.#send({ unwatch: session });
    };
  }

  #connect(): void {
    const socket = this.#options.connect();
    this.#socket = socket;
    let opened = false;
    socket.addEventListener('open', () => {
      opened = true;
      this.#opened();
    });
    socket.addEventListener('message', ({ data }) => this.#received(data));
    socket.addEventListener('close', ({ code }) => void this.#closed(opened, code));
  }

  #opened(): void {
    this.#state = 'open';
    this.#pause = FIRST_PAUSE_MS;
    for (const [session, watchers] of this.#watchers) {
      for (const watcher of watchers) watcher.missed();
      this.#ask(session);
    }
  }

  async #closed(opened: boolean, code: number): Promise<void> {
    this.#flush();
    if (this.#stopped) return;
    this.#state = 'away';
    if ((!opened || code === PROOF_ENDED) && (await this.#options.isRefused())) {
      this.#state = 'refused';
      this.#stopped = true;
      return;
    }
    const pause = this.#pause * (0.5 + this.#options.random());
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE_MS);
    this.#options.setTimer(() => {
      if (!this.#stopped) this.#connect();
    }, pause);
  }

  /** Of several watchers of one session, the one that has least says from where. */
  #ask(session: string): void {
    const watchers = [...(this.#watchers.get(session) ?? [])];
    if (watchers.length === 0) return;
    this.#flush();
    const after = Math.min(...watchers.map((watcher) => watcher.after()));
    this.#send(session === ALL_SESSIONS ? { watch: session } : { watch: session, after });
  }

  #send(message: object): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #received(data: unknown): void {
    const event = typeof data === 'string' ? parseEvent(data) : undefined;
    if (event === undefined) return;
    this.#waiting.push(event);
    if (this.#waiting.length === 1) this.#options.setTimer(() => this.#flush(), BATCH_MS);
  }

  #flush(): void {
    const events = this.#waiting;
    this.#waiting = [];
    if (events.length === 0) return;
    for (const watcher of this.#watchers.get(ALL_SESSIONS) ?? []) watcher.take(events);
    for (const [session, mine] of Map.groupBy(events, (event) => event.session)) {
      for (const watcher of this.#watchers.get(session) ?? []) watcher.take(mine);
    }
  }
}
