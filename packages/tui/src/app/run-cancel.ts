import { describeError, type SessionEvent, type Timers } from '@bulkhead/protocol';
import type { SessionFeed } from '../link/session-feed.ts';
import type { Messages } from './messages.ts';

/** How long to wait for the outcome of a cancelled run, milliseconds. */
const KNOWN_MS = 5_000;

interface RunCancelOptions {
  readonly timers: Timers;
  readonly messages: Pick<Messages, 'cancel'>;
  readonly say: (text: string) => void;
  /** Called when the run's end is requested, and when its outcome is known. */
  readonly changed: () => void;
}

/** The request to end the current run, until the engine reports its outcome. */
export class RunCancel {
  readonly #options: RunCancelOptions;
  #feed: SessionFeed | undefined;
  #known = Promise.withResolvers<void>();

  constructor(options: RunCancelOptions) {
    this.#options = options;
    this.#known.resolve();
  }

  /** True from the request until the outcome is known. */
  get isAsked(): boolean {
    return this.#feed !== undefined;
  }

  /** Asks the engine once to end the run. */
  async ask(feed: SessionFeed): Promise<void> {
    if (this.isAsked) return;
    const { messages, say, changed } = this.#options;
    this.#feed = feed;
    this.#known = Promise.withResolvers();
    changed();
    try {
      if (await messages.cancel(feed)) return;
      say('nothing is running');
    } catch (cause) {
      say(`the run could not be cancelled: ${describeError(cause)}`);
    }
    this.#end();
  }

  /** An event of a session: the end of the run ends the wait. */
  take(feed: SessionFeed, event: SessionEvent): void {
    if (feed !== this.#feed) return;
    if (event.type === 'idle' || (event.type === 'settled' && event.outcome !== 'merged')) this.#end();
  }

  /** Another session is shown: events of this one no longer arrive. */
  forget(): void {
    this.#end();
  }

  /**
   * Resolves once the run's outcome is known: immediately without a request, and always within a
   * bounded time.
   */
  async known(): Promise<void> {
    const late = Promise.withResolvers<void>();
    using _timer = this.#options.timers.after(KNOWN_MS, late.resolve);
    await Promise.race([this.#known.promise, late.promise]);
  }

  #end(): void {
    this.#feed = undefined;
    this.#known.resolve();
    this.#options.changed();
  }
}
