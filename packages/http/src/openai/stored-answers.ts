import type { BulkheadError } from '@bulkhead/protocol';
import { ClientService } from '@bulkhead/protocol/client';
import type { Service } from '../service.ts';
import { invalidRequest } from './api-error.ts';
import type { Caller } from './caller.ts';
import type { CallerBook } from './caller-book.ts';
import { titleOf } from './caller-sessions.ts';
import { toTheEnd } from './to-the-end.ts';

/** Responses that later requests may go on from: from the last one in its session, from an earlier one in a fork. */
export class StoredAnswers {
  readonly #service: Service;
  readonly #book: CallerBook;

  constructor(service: Service, book: CallerBook) {
    this.#service = service;
    this.#book = book;
  }

  /** @param time when its last message was written down; undefined if it ended with calls, which go on with their run */
  keep(caller: Caller, answer: string, sessionId: string, time: string | undefined): void {
    // One that was given before is the last no more if others came after it: the book keeps the first.
    this.#book.keepResponse(caller.id, answer, { sessionId, time });
  }

  /**
   * The session that a request goes on in.
   *
   * @param words what the request is about, for the title of a fork
   * @throws BulkheadError `usage` (400) for a response that can't be gone on from; `busy` if its session has to be idle for that
   */
  async sessionAfter(caller: Caller, answer: string, words: string): Promise<string> {
    const kept = this.#book.responseOf(caller.id, answer);
    const shown = JSON.stringify(answer.slice(0, 80));
    if (kept === undefined) throw noAnswer(`there is no response ${shown}`);
    const { sessionId, time, isLast } = kept;
    if (isLast) return sessionId;
    if (time === undefined) {
      throw noAnswer(
        `${shown} ended with calls, and its session has gone on since: it can't be gone on from`,
      );
    }
    const entryId = await this.#entryAt(sessionId, time);
    if (entryId === undefined) throw noAnswer(`${shown} is no part of its conversation any more`);
    return await this.#fork(caller, { sessionId, entryId }, words);
  }

  /** The entry of the assistant's message that was written down then: an event and its entry are one record, with one time. */
  async #entryAt(sessionId: string, time: string): Promise<string | undefined> {
    let found: string | undefined;
    const pages = this.#service.stream(ClientService.method.readBranch, { sessionId }, toTheEnd());
    for await (const { entries } of pages) {
      const entry = entries.findLast((one) => one.time === time && one.message?.role.case === 'assistant');
      if (entry !== undefined) found = entry.entryId;
    }
    return found;
  }

  async #fork(
    caller: Caller,
    from: { readonly sessionId: string; readonly entryId: string },
    words: string,
  ): Promise<string> {
    const { method } = ClientService;
    const { sessionId } = await this.#service.unary(method.forkSession, from, toTheEnd());
    // It is its caller's from the start: nothing of the owner goes into it.
    this.#book.keep(caller.id, sessionId, sessionId);
    await this.#service.unary(method.setTitle, { sessionId, title: titleOf(caller, words) }, toTheEnd());
    return sessionId;
  }
}

function noAnswer(message: string): BulkheadError {
  return invalidRequest(message, 'previous_response_id', 'previous_response_not_found');
}
