import type { MessageInitShape } from '@bufbuild/protobuf';
import { ClientService, type Delivery } from '@bulkhead/protocol/client';
import type { Api } from '../api/api.ts';
import { ApiError } from '../api/api-error.ts';

type SendInit = MessageInitShape<typeof ClientService.method.sendMessage.input>;

/** A message as the person wrote it. */
export interface Written {
  readonly text: string;
  readonly images: readonly { readonly mediaType: string; readonly data: Uint8Array }[];
  /** Attached text files: not the person's own words. */
  readonly files: readonly { readonly name: string; readonly text: string }[];
  readonly delivery: Delivery;
  readonly options: NonNullable<SendInit['options']>;
}

/** A message of this page that is not in the transcript yet. */
export interface OwnMessage extends Written {
  readonly id: string;
  /** False until the engine has stored it. */
  readonly isAccepted: boolean;
}

const PAUSE_MS = 1_000;

/**
 * Messages being sent. A failed one is retried under the same id, which the engine accepts once:
 * none is lost or repeated.
 */
export class Outbox {
  readonly #api: Api;
  readonly #session: string;
  readonly #setTimer: (work: () => void, milliseconds: number) => void;
  #list: readonly OwnMessage[] = $state.raw([]);

  constructor(api: Api, session: string, setTimer: (work: () => void, milliseconds: number) => void) {
    this.#api = api;
    this.#session = session;
    this.#setTimer = setTimer;
  }

  /** In the order of writing. */
  get list(): readonly OwnMessage[] {
    return this.#list;
  }

  find(id: string): OwnMessage | undefined {
    return this.#list.find((message) => message.id === id);
  }

  /** @throws ApiError if the engine refuses it; the message is then removed */
  async send(id: string, written: Written): Promise<void> {
    this.#list = [...this.#list, { id, ...written, isAccepted: false }];
    try {
      await this.#handOver(id, written);
      this.#list = this.#list.map((one) => (one.id === id ? { ...one, isAccepted: true } : one));
    } catch (error) {
      this.drop(id);
      throw error;
    }
  }

  /** Removes a message that is in the transcript or was withdrawn. */
  drop(id: string): void {
    if (this.find(id) !== undefined) this.#list = this.#list.filter((message) => message.id !== id);
  }

  async #handOver(messageId: string, { text, images, files, delivery, options }: Written): Promise<void> {
    for (;;) {
      try {
        await this.#api.call(ClientService.method.sendMessage, {
          sessionId: this.#session,
          messageId,
          content: text,
          images: images.map(({ mediaType, data }) => ({ mediaType, data: new Uint8Array(data) })),
          attachments: [...files],
          delivery,
          options,
        });
        return;
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'unreachable') throw error;
      }
      await new Promise<void>((resolve) => this.#setTimer(resolve, PAUSE_MS));
    }
  }
}
