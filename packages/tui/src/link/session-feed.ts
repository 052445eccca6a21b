import { inheritedEvents } from '@bulkhead/client';
import { inertLine, inertText, type SessionEvent } from '@bulkhead/protocol';
import type { SessionSummary } from '@bulkhead/protocol/client';
import {
  emptyTranscript,
  foldEvent,
  isBusy,
  missedSome,
  parseEvent,
  type TranscriptView,
} from '@bulkhead/protocol/transcript';
import type { UiLink } from './ui-link.ts';

/** The current session. */
export interface UiPlace {
  readonly sessionId: string;
  /** Working folder of its tools, absolute; empty if unknown. */
  readonly folder: string;
  /** Undefined for a session that was just created, and for an unlisted one. */
  readonly known: SessionSummary | undefined;
}

interface FeedOptions {
  readonly link: UiLink;
  readonly place: UiPlace;
  /** Called after each event, with the new view. */
  readonly onEvent: (view: TranscriptView, event: SessionEvent) => void;
  readonly onConnection: (connection: 'lost' | 'back') => void;
  /** The feed has ended. */
  readonly onFailure: (cause: unknown) => void;
}

/**
 * One session, followed from its first event on. All its text is made inert before other code sees
 * it.
 */
export class SessionFeed implements Disposable {
  readonly place: UiPlace;
  readonly #options: FeedOptions;
  readonly #left = new AbortController();
  #worked = false;
  #view = emptyTranscript();
  /** Sent from this client, without a later event: by id. */
  readonly #unsettled = new Set<string>();

  constructor(options: FeedOptions) {
    this.#options = options;
    this.place = options.place;
  }

  get view(): TranscriptView {
    return this.#view;
  }

  /** True if the session works, or is about to. */
  get busy(): boolean {
    return isBusy(this.#view) || this.#unsettled.size > 0;
  }

  /**
   * Lost records of the session's log, inert: it accepts no messages. Empty if nothing is missing,
   * or once it works: then someone has accepted the loss.
   */
  get loss(): string {
    return this.#worked ? '' : inertLine(this.place.known?.loss ?? '');
  }

  /** A message is being sent. */
  sent(messageId: string): void {
    this.#unsettled.add(messageId);
  }

  /** Sending it failed. */
  notSent(messageId: string): void {
    this.#unsettled.delete(messageId);
  }

  /**
   * Reads existing events, beginning with a fork's shared part or the imported part; resolves once
   * they are in the view.
   */
  async read(): Promise<void> {
    const { link, place } = this.#options;
    const { sessionId, known } = place;
    const { signal } = this.#left;
    await link.once(async (client) => {
      if (known !== undefined) {
        for await (const event of inheritedEvents(client, known, signal)) this.#fold(inertEvent(event));
      }
      for await (const { json } of client.stream('watch', { sessionId }, signal))
        this.#fold(parseEvent(json, inertText));
    });
    this.#view = missedSome(this.#view);
  }

  /** Reads new events until the feed is left. */
  async follow(): Promise<void> {
    const { link, onEvent, onConnection, onFailure } = this.#options;
    const { signal } = this.#left;
    const tell = (connection: 'lost' | 'back') => {
      this.#view = missedSome(this.#view);
      onConnection(connection);
    };
    try {
      for await (const { json } of link.watch(this.place.sessionId, this.#view.seq, signal, tell)) {
        const event = parseEvent(json, inertText);
        if (event === undefined) continue;
        this.#fold(event);
        if (event.type === 'agent_start') this.#worked = true;
        if (event.type === 'settled') this.#unsettled.delete(event.message);
        onEvent(this.#view, event);
      }
    } catch (cause) {
      if (!signal.aborted) onFailure(cause);
    }
  }

  [Symbol.dispose](): void {
    this.#left.abort();
  }

  #fold(event: SessionEvent | undefined): void {
    if (event !== undefined) this.#view = foldEvent(this.#view, event);
  }
}

/** As events of a live line are made inert. */
function inertEvent(event: SessionEvent): SessionEvent | undefined {
  return parseEvent(JSON.stringify(event), inertText);
}
