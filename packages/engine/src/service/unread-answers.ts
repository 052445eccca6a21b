import { constants, type ServerHttp2Stream } from 'node:http2';

/** For how long an answer may wait for a client that takes none of it, and how often that is looked at. */
const UNREAD_MS = 60_000;
const LOOK_MS = 5_000;

interface Unread {
  /** Bytes that waited when it was looked at. */
  waiting: number;
  /** For how many looks in a row they have been as many. */
  looks: number;
}

/**
 * Ends the answers of clients that ask and do not read: a stream waits for its reader, so that as many bytes wait as before.
 * Its end says `ENHANCE_YOUR_CALM`. What such a client missed of a session is in the log.
 */
export class UnreadAnswers {
  readonly #open = new Map<ServerHttp2Stream, Unread>();
  readonly #timer: NodeJS.Timeout;
  readonly #looks: number;

  constructor({ unreadMs = UNREAD_MS, lookMs = LOOK_MS } = {}) {
    this.#looks = unreadMs / lookMs;
    this.#timer = setInterval(() => this.#look(), lookMs);
    this.#timer.unref();
  }

  watch(stream: ServerHttp2Stream): void {
    this.#open.set(stream, { waiting: 0, looks: 0 });
    stream.once('close', () => this.#open.delete(stream));
  }

  close(): void {
    clearInterval(this.#timer);
    this.#open.clear();
  }

  #look(): void {
    for (const [stream, unread] of this.#open) {
      const waiting = stream.writableLength;
      unread.looks = waiting > 0 && waiting === unread.waiting ? unread.looks + 1 : 0;
      unread.waiting = waiting;
      if (unread.looks >= this.#looks) stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    }
  }
}
