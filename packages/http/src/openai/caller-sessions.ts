import type { MessageInitShape } from '@bufbuild/protobuf';
import { BulkheadError, type CallOrigin } from '@bulkhead/protocol';
import type { Message } from '@bulkhead/protocol/chat';
import { ClientService, type RunOptionsSchema } from '@bulkhead/protocol/client';
import type { Service } from '../service.ts';
import { invalidRequest } from './api-error.ts';
import type { Caller } from './caller.ts';
import type { CallerBook } from './caller-book.ts';
import type { ImageInit } from './conversation-item.ts';
import { toTheEnd } from './to-the-end.ts';

const MAX_NAME = 256;
/** Characters of the content in a title. */
const MAX_TITLE = 60;
/** The form of the engine's session ids. */
const SESSION_ID = /^[0-9A-HJKMNP-TV-Z]{26}$/;

/** The destination of a message. */
export interface Destination {
  /** The session itself, if known. */
  readonly sessionId: string | undefined;
  /** Name of the session; undefined for a session of this request alone. */
  readonly name: string | undefined;
  /** Working folder of a new session; undefined for the caller's own. */
  readonly folder: string | undefined;
}

/** The message to send. */
interface MessageOf {
  readonly messageId: string;
  readonly content: string;
  readonly images: readonly ImageInit[];
  readonly options: MessageInitShape<typeof RunOptionsSchema>;
}

/** The sessions of OpenAI API callers: each caller has its own, by the names it gave them. */
export class CallerSessions {
  readonly #service: Service;
  readonly #book: CallerBook;
  /** Sessions under creation, so that two first messages with one name share one session. */
  readonly #making = new Map<string, Promise<string>>();

  constructor(service: Service, book: CallerBook) {
    this.#service = service;
    this.#book = book;
  }

  /**
   * Sends a message to its session, which is created with `history` if missing. An existing session
   * keeps its own history.
   *
   * @param onSession called with the session before the message is sent
   * @returns the session, and where the events of the message begin
   */
  async send(
    caller: Caller,
    destination: Destination,
    history: readonly Message[],
    message: MessageOf,
    onSession: (sessionId: string) => void,
  ): Promise<{ readonly sessionId: string; readonly afterSeq: number }> {
    const sessionId =
      this.find(caller, destination) ?? (await this.#make(caller, destination, history, message));
    try {
      onSession(sessionId);
      return { sessionId, ...(await this.deliver(caller, { ...destination, sessionId }, message)) };
    } catch (error) {
      // The owner has deleted it: its name is free again.
      if (!BulkheadError.is(error) || error.code !== 'not_found' || this.#isId(caller, destination.name))
        throw error;
      const made = await this.#make(caller, destination, history, message);
      onSession(made);
      return {
        sessionId: made,
        ...(await this.deliver(caller, { ...destination, sessionId: made }, message)),
      };
    }
  }

  /** @throws BulkheadError `usage` (400) for an invalid name */
  find(caller: Caller, { sessionId, name }: Destination): string | undefined {
    if (name !== undefined && (name === '' || name.length > MAX_NAME || /\p{Cc}/u.test(name))) {
      throw invalidRequest(`the name of a session has 1 to ${MAX_NAME} characters`, 'user');
    }
    if (sessionId !== undefined || name === undefined) return sessionId;
    return this.#book.sessionOf(caller.id, name) ?? (this.#isId(caller, name) ? name : undefined);
  }

  /** The owner may continue any session by its id. For a program an id is a name like any other. */
  #isId(caller: Caller, name: string | undefined): boolean {
    return (
      caller.isOwner &&
      name !== undefined &&
      SESSION_ID.test(name) &&
      this.#book.sessionOf(caller.id, name) === undefined
    );
  }

  async #make(
    caller: Caller,
    { name, folder }: Destination,
    history: readonly Message[],
    { content }: Pick<MessageOf, 'content'>,
  ): Promise<string> {
    const make = async (): Promise<string> => {
      const workingFolder = folder ?? this.#book.folderOf(caller);
      const request = { workingFolder, history: [...history] };
      const { sessionId } = await this.#service.unary(
        ClientService.method.createSession,
        request,
        toTheEnd(),
        // The session belongs to its caller from the start: creation records both together.
        apiOrigin(caller, name),
      );
      if (name !== undefined) this.#book.keep(caller.id, name, sessionId);
      // The title is set directly, so that no model is asked for one.
      const title = titleOf(caller, name ?? content);
      await this.#service.unary(ClientService.method.setTitle, { sessionId, title }, toTheEnd());
      return sessionId;
    };
    if (name === undefined) return await make();
    const key = JSON.stringify([caller.id, name]);
    const making = this.#making.get(key) ?? make();
    this.#making.set(key, making);
    try {
      return await making;
    } finally {
      this.#making.delete(key);
    }
  }

  /**
   * Sends a message to an existing session; a message that it already has is not run twice.
   * @returns where its events begin
   */
  deliver(
    caller: Caller,
    { sessionId, name }: Destination & { readonly sessionId: string },
    message: MessageOf,
  ): Promise<{ readonly afterSeq: number }> {
    return this.#service.unary(
      ClientService.method.sendMessage,
      { ...message, images: [...message.images], sessionId },
      toTheEnd(),
      apiOrigin(caller, name),
    );
  }
}

/** @param chat the caller's name for the session */
function apiOrigin({ id, isOwner, name }: Caller, chat: string | undefined): CallOrigin {
  const sender = isOwner ? { id } : { id, name };
  return { channel: 'api', ...(chat === undefined ? {} : { chat }), sender };
}

/** @param words content that the title describes */
export function titleOf({ isOwner, name }: Caller, words: string): string {
  const line = [...words.replaceAll(/\s+/gu, ' ').trim()].slice(0, MAX_TITLE).join('');
  return `${isOwner ? 'API' : name}: ${line}`;
}
