import { ALL_SESSIONS, BulkheadError, type Timers } from '@bulkhead/protocol';
import { ClientService } from '@bulkhead/protocol/client';
import type { RawData, WebSocket } from 'ws';
import { errorBody } from '../answer.ts';
import type { Service } from '../service.ts';
import { parseFrame, type Watch } from './parse-frame.ts';

/** Sessions that one socket may watch at once. */
const MAX_WATCHES = 64;
/**
 * Bytes that may wait for a client; beyond that its events stay in the log, and it loses only
 * deltas.
 */
const MAX_WAITING_BYTES = 256 * 1024;
/** A client that does not answer a ping for this long is closed, in milliseconds. */
const PING_MS = 20_000;
/** Close code "try again later" (RFC 6455, registry of WebSocket close codes). */
const NOT_READ = 1013;
/** Close code of a service that restarts (RFC 6455, registered at IANA): the client connects anew. */
const STOPS = 1012;
/** Time for a close to reach a client that is still sending, in milliseconds. */
const LAST_WORDS_MS = 1_000;

/**
 * One client of the event stream: each frame is one of the contract's event lines. Each watch reads
 * the log only as fast as the client reads, so a slow one never makes us keep more than
 * `MAX_WAITING_BYTES` and the content of a subscription [X6].
 */
export class EventStream {
  readonly #socket: WebSocket;
  readonly #service: Service;
  readonly #timers: Timers;
  readonly #publicError: (error: unknown) => BulkheadError;
  readonly #enter: () => Disposable;
  readonly #watches = new Map<string, AbortController>();
  #ping: Disposable | undefined;
  #isAlive = true;

  /**
   * @param parts.publicError Turns an error in the form for the client
   * @param parts.enter called for each watch; throws `rate_limit` if this client has too much
   *   under way
   */
  constructor(
    socket: WebSocket,
    parts: {
      readonly service: Service;
      readonly timers: Timers;
      publicError(error: unknown): BulkheadError;
      enter(): Disposable;
    },
  ) {
    this.#socket = socket;
    this.#service = parts.service;
    this.#timers = parts.timers;
    this.#publicError = (error) => parts.publicError(error);
    this.#enter = () => parts.enter();
    socket.on('message', (data, isBinary) => this.#take(data, isBinary));
    socket.on('pong', () => {
      this.#isAlive = true;
    });
    // For an invalid or too large frame the library closes with the fitting code, and reads on so
    // that the close arrives.
    socket.on('error', () => void this.#timers.after(LAST_WORDS_MS, () => socket.terminate()));
    socket.once('close', () => this.#end());
    this.#pingLater();
  }

  /** Replaces a watch of the same session. */
  watch({ session, after }: Watch): void {
    this.#unwatch(session);
    if (this.#watches.size >= MAX_WATCHES) {
      this.#tell(new BulkheadError('usage', `one socket watches at most ${MAX_WATCHES} sessions`), session);
      return;
    }
    const left = new AbortController();
    this.#watches.set(session, left);
    this.#follow({ session, after }, left).catch(() => this.#socket.terminate());
  }

  async #follow({ session, after }: Watch, left: AbortController): Promise<void> {
    const request = { sessionId: session, afterSeq: after, follow: true };
    try {
      using _place = this.#enter();
      for await (const line of this.#service.stream(ClientService.method.watch, request, left.signal)) {
        if (left.signal.aborted) return;
        await this.#send(session === ALL_SESSIONS ? markedAll(line.json) : line.json);
      }
      if (!left.signal.aborted) this.#say({ ended: session });
    } catch (error) {
      if (left.signal.aborted) return;
      // Not an error of this watch: a client that reconnects continues where it was.
      if (BulkheadError.from(error).code === 'not_running') this.#socket.close(STOPS, 'the engine stops');
      else this.#tell(error, session);
    } finally {
      if (this.#watches.get(session) === left) this.#watches.delete(session);
    }
  }

  #take(data: RawData, isBinary: boolean): void {
    try {
      const frame = parseFrame(data, isBinary);
      if ('unwatch' in frame) this.#unwatch(frame.unwatch);
      else this.watch(frame);
    } catch (error) {
      this.#tell(error);
    }
  }

  #unwatch(session: string): void {
    this.#watches.get(session)?.abort();
    this.#watches.delete(session);
  }

  /** Resolves once there is room for more. */
  async #send(text: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#socket.send(text, () => resolve());
    if (this.#socket.bufferedAmount > MAX_WAITING_BYTES) await promise;
  }

  #tell(error: unknown, session?: string): void {
    this.#say({
      ...errorBody(this.#publicError(error)),
      ...(session === undefined ? {} : { watch: session }),
    });
  }

  /** Answers a client's own frames. A client that sends many without reading is closed. */
  #say(frame: unknown): void {
    if (this.#socket.bufferedAmount > MAX_WAITING_BYTES * 2) this.#socket.terminate();
    else this.#socket.send(JSON.stringify(frame), () => {});
  }

  #pingLater(): void {
    this.#ping = this.#timers.after(PING_MS, () => {
      if (!this.#isAlive) {
        // If it reads later, it learns why this has ended and can fetch the events that it missed.
        this.#end();
        this.#socket.close(NOT_READ, 'nothing was read for a while; connect again, with ?after');
        this.#timers.after(LAST_WORDS_MS, () => this.#socket.terminate());
        return;
      }
      this.#isAlive = false;
      this.#socket.ping(() => {});
      this.#pingLater();
    });
  }

  #end(): void {
    this.#ping?.[Symbol.dispose]();
    for (const watch of this.#watches.values()) watch.abort();
    this.#watches.clear();
  }
}

/**
 * Marks a line as part of the watch on all sessions; a watch on its single session sends it
 * separately.
 */
function markedAll(json: string): string {
  return `${json.slice(0, -1)},"watch":"${ALL_SESSIONS}"}`;
}
