import { BulkheadError, type Clock, type HomeLayout } from '@bulkhead/protocol';
import type { EngineLink } from '../engine-link.ts';
import { reconnectEngine } from '../ensure-engine.ts';
import { type OpenedEngine, openEngine } from '../open-engine.ts';
import type { StartOptions } from '../start-engine.ts';

/** How long to wait for an engine that is gone to restart, milliseconds. */
const BACK_MS = 3_000;

/**
 * The connection to a home's engine: opened on first use, so that an editor that only asks for our
 * name starts no engine, and opened again for the next call after the engine was stopped.
 */
export class EngineDoor implements Disposable {
  readonly #layout: HomeLayout;
  readonly #start: StartOptions;
  readonly #clock: Clock;
  #opened: Promise<OpenedEngine> | undefined;

  constructor(layout: HomeLayout, start: StartOptions, clock: Clock) {
    this.#layout = layout;
    this.#start = start;
    this.#clock = clock;
  }

  /**
   * A connection to an engine that has just answered.
   * @throws BulkheadError as `openEngine` does; the next call tries again
   */
  async link(signal: AbortSignal): Promise<EngineLink> {
    const before = this.#opened;
    if (before === undefined) return (await this.#open()).link;
    try {
      const { link } = await before;
      await link.once((client) => client.call('status', {}, signal));
      return link;
    } catch (cause) {
      if (!BulkheadError.is(cause) || cause.code !== 'not_running') throw cause;
    }
    // Two concurrent calls that find it closed share one connection.
    if (this.#opened === before) this.#opened = undefined;
    return (await (this.#opened ?? this.#reopen(before, signal))).link;
  }

  #reopen(before: Promise<OpenedEngine>, signal: AbortSignal): Promise<OpenedEngine> {
    return this.#keep(async () => {
      (await before).link[Symbol.dispose]();
      // A supervisor restarts a crashed engine; a second start would only conflict with it.
      await reconnectEngine(this.#layout, BACK_MS, { signal, channel: 'acp' }).then(
        (client) => client[Symbol.dispose](),
        () => undefined,
      );
      return openEngine(this.#layout, this.#start, this.#clock);
    });
  }

  #open(): Promise<OpenedEngine> {
    return this.#keep(() => openEngine(this.#layout, this.#start, this.#clock));
  }

  #keep(open: () => Promise<OpenedEngine>): Promise<OpenedEngine> {
    const opening = open();
    this.#opened = opening;
    opening.catch(() => {
      if (this.#opened === opening) this.#opened = undefined;
    });
    return opening;
  }

  [Symbol.dispose](): void {
    this.#opened?.then(
      ({ link }) => link[Symbol.dispose](),
      () => undefined,
    );
  }
}
