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

/** The session that is shown. */
export interface UiPlace {
  readonly sessionId: string;
  /** Absolute path of where its tools act; empty where that is not known. */
  readonly folder: string;
  /** Undefined for a session that was just made, and for one that isn't listed. */
  readonly known: SessionSummary | undefined;
}

interface FeedOptions {
  readonly link: UiLink;
  readonly place: UiPlace;
  /** Called after each event, with the view it made. */
  readonly onEvent: (view: TranscriptView, event: SessionEvent) => void;
  readonly onConnection: (connection: 'lost' | 'back') => void;
  /** The feed has ended and nothing more will come. */
  readonly onFailure: (cause: unknown) => void;
}

/** One session, followed from its first event on. Every text of it is made inert before anything else sees it. */
export class SessionFeed implements Disposable {
  readonly place: UiPlace;
  readonly #options: FeedOptions;
  readonly #left = new AbortController();
  #worked = false;
  #view = emptyTranscript();
  /** Sent from here and not heard of again: by id. */
  readonly #unsettled = new Set<string>();

  constructor(options: FeedOptions) {
    this.#options = options;
    this.place = options.place;
  }

  get view(): TranscriptView {
    return this.#view;
  }

  /** Whether the session works, or is about to. */
  get busy(): boolean {
    return isBusy(this.#view) || this.#unsettled.size > 0;
  }

  /**
   * What the log of the session lost, inert: it takes no message. Empty if nothing is missing, or once it works: then somebody has
   * accepted that.
   */
  get loss(): string {
    return this.#worked ? '' : inertLine(this.place.known?.loss ?? '');
  }

  /** A message is on its way. */
  sent(messageId: string): void {
    this.#unsettled.add(messageId);
  }

  /** It did not get there. */
  notSent(messageId: string): void {
    this.#unsettled.delete(messageId);
  }

  /** Reads what there is, a fork's shared part or what was imported first; resolves once that is in the view. */
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

  /** Takes what comes, until the feed is left. */
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

/** As the events of a line are made inert. */
function inertEvent(event: SessionEvent): SessionEvent | undefined {
  return parseEvent(JSON.stringify(event), inertText);
}
