import { describeError, type SessionEvent, type Timers } from '@bulkhead/protocol';
import type { SessionFeed } from '../link/session-feed.ts';
import type { Messages } from './messages.ts';

/** So long it is waited for the engine's word on a run that was to be cancelled, milliseconds. */
const KNOWN_MS = 5_000;

interface RunCancelOptions {
  readonly timers: Timers;
  readonly messages: Pick<Messages, 'cancel'>;
  readonly say: (text: string) => void;
  /** The run is asked to end, or it is known what became of it. */
  readonly changed: () => void;
}

/** The wish to end the run that goes on, until the engine has told what became of it. */
export class RunCancel {
  readonly #options: RunCancelOptions;
  #feed: SessionFeed | undefined;
  #known = Promise.withResolvers<void>();

  constructor(options: RunCancelOptions) {
    this.#options = options;
    this.#known.resolve();
  }

  /** True from the wish on until it is known what became of it. */
  get isAsked(): boolean {
    return this.#feed !== undefined;
  }

  /** Asks the engine to end the run; once is enough. */
  async ask(feed: SessionFeed): Promise<void> {
    if (this.isAsked) return;
    const { messages, say, changed } = this.#options;
    this.#feed = feed;
    this.#known = Promise.withResolvers();
    changed();
    try {
      if (await messages.cancel(feed)) return;
      say('nothing was running any more');
    } catch (cause) {
      say(`the run could not be cancelled: ${describeError(cause)}`);
    }
    this.#end();
  }

  /** An event of a session: the end of the run is what was waited for. */
  take(feed: SessionFeed, event: SessionEvent): void {
    if (feed !== this.#feed) return;
    if (event.type === 'idle' || (event.type === 'settled' && event.outcome !== 'merged')) this.#end();
  }

  /** Another session is shown: nothing more is told of this one. */
  forget(): void {
    this.#end();
  }

  /** Resolves once it is known what became of the run; at once if nothing was asked, and after a bounded time in any case. */
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
