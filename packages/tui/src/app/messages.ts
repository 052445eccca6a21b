import { resolve } from 'node:path';
import { ApprovalMode, Delivery } from '@bulkhead/protocol/client';
import type { SessionFeed } from '../link/session-feed.ts';
import type { UiDelivery, UiOptions } from './ui-options.ts';

const DELIVERIES: Readonly<Record<UiDelivery, Delivery>> = {
  steer: Delivery.STEER,
  queue: Delivery.UNSPECIFIED,
  now: Delivery.INTERRUPT,
};

/** Messages sent from this client, and their withdrawal. */
export class Messages {
  /** Text of sent messages that have not ended, by id. */
  readonly own = new Map<string, string>();
  readonly #options: Pick<UiOptions, 'link' | 'newId' | 'model' | 'images' | 'home'>;
  readonly #signal: AbortSignal;
  /** Being sent to the engine: a cancel must wait until they arrive. */
  readonly #sending = new Set<Promise<unknown>>();

  constructor(options: Pick<UiOptions, 'link' | 'newId' | 'model' | 'images' | 'home'>, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
  }

  /** Sends a message, with the images it names. @throws BulkheadError if the engine refuses it */
  async send(feed: SessionFeed, content: string, delivery: UiDelivery, dryRun: boolean): Promise<void> {
    const { link, newId, model, images, home } = this.#options;
    const attached = images(attachedImages(content, feed.place.folder, home), content);
    const messageId = newId();
    this.own.set(messageId, content);
    feed.sent(messageId);
    const request = {
      sessionId: feed.place.sessionId,
      messageId,
      content,
      images: attached.map(({ mediaType, data }) => ({ mediaType, data })),
      delivery: DELIVERIES[delivery],
      options: { approve: ApprovalMode.ASK, model: model.override, dryRun },
    };
    const sending = link.repeat((client) => client.call('sendMessage', request), this.#signal);
    this.#sending.add(sending);
    try {
      await sending;
    } catch (cause) {
      this.own.delete(messageId);
      feed.notSent(messageId);
      throw cause;
    } finally {
      this.#sending.delete(sending);
    }
  }

  /**
   * Withdraws the last of one's own waiting messages. @returns its text, or the reason why there is
   * none
   */
  async takeBack({
    place,
    view,
  }: SessionFeed): Promise<{ readonly text: string } | { readonly reason: string }> {
    const waiting = [...view.queue.steer, ...view.queue.followUp];
    const messageId = [...this.own.keys()].findLast((id) => waiting.includes(id));
    if (messageId === undefined) return { reason: 'no queued message of yours' };
    const text = this.own.get(messageId) ?? '';
    const request = { sessionId: place.sessionId, messageId };
    const { cancelled: gone } = await this.#options.link.repeat(
      (client) => client.call('cancelRun', request),
      this.#signal,
    );
    return gone ? { text } : { reason: 'the run has already taken it' };
  }

  /** Ends the current or next run. @returns false if there is none */
  async cancel({ place }: SessionFeed): Promise<boolean> {
    await Promise.allSettled(this.#sending);
    const request = { sessionId: place.sessionId };
    const answer = await this.#options.link.repeat(
      (client) => client.call('cancelRun', request),
      this.#signal,
    );
    return answer.cancelled;
  }
}

const ENDINGS = String.raw`\.(?:png|jpe?g|gif|webp)`;
const IMAGE = new RegExp(
  String.raw`(?:^|\s)@(?:"([^"\n]+${ENDINGS})"|(\S+${ENDINGS}))(?=[\s,.;:!?)]|$)`,
  'gi',
);

/**
 * Absolute paths of the images a message names with `@`, each once; a name with spaces stands in
 * quotes.
 *
 * @param folder absolute; base of relative names
 * @param home absolute; value of `~`
 */
export function attachedImages(text: string, folder: string, home: string): readonly string[] {
  const names = [...text.matchAll(IMAGE)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  return [
    ...new Set(
      names.map((name) =>
        resolve(
          folder,
          name.replace(/^~(?=\/)/, () => home),
        ),
      ),
    ),
  ];
}
