import { ALL_SESSIONS, PROOF_ENDED, type SessionEvent } from '@bulkhead/protocol';
import { parseEvent } from '@bulkhead/protocol/transcript';

/**
 * `away`: the connection is lost and is retried. `refused`: the engine no longer accepts the login.
 */
export type LinkState = 'connecting' | 'open' | 'away' | 'refused';

/** A watcher of a session's events. */
export interface Watcher {
  /** Its last durable event: it receives later ones. */
  after(): number;
  /** In order, never empty. Events may repeat. */
  take(events: readonly SessionEvent[]): void;
  /** A new connection was made: deltas may be missing from here on. */
  missed(): void;
}

export interface LiveOptions {
  readonly connect: () => WebSocket;
  /** Why a connection ended: true if a login is required. */
  readonly isRefused: () => Promise<boolean>;
  readonly setTimer: (work: () => void, milliseconds: number) => void;
  readonly random: () => number;
}

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;
/** Interval for delivering events together: a page draws no faster. */
const BATCH_MS = 16;

/**
 * A WebSocket that reconnects automatically and requests the events after each watcher's last one,
 * so none is lost. Watchers of one session and of all sessions need two of these, because it does
 * not read which watch a line belongs to.
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

  /** @param session one session, or `ALL_SESSIONS`. @returns a function that ends the watch */
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

  /** Among several watchers of one session, the one with the oldest state decides the start. */
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
