import type { BulkheadError } from '@bulkhead/protocol';
import { ClientService } from '@bulkhead/protocol/client';
import type { Service } from '../service.ts';
import { invalidRequest } from './api-error.ts';
import type { Caller } from './caller.ts';
import type { CallerBook } from './caller-book.ts';
import { titleOf } from './caller-sessions.ts';
import { toTheEnd } from './to-the-end.ts';

/**
 * Responses that later requests may continue: the last one of a session in place, an earlier one in
 * a fork.
 */
export class StoredAnswers {
  readonly #service: Service;
  readonly #book: CallerBook;

  constructor(service: Service, book: CallerBook) {
    this.#service = service;
    this.#book = book;
  }

  /**
   * @param time when its last message was recorded; undefined if it ended with calls, which
   *   continue with their run
   */
  keep(caller: Caller, answer: string, sessionId: string, time: string | undefined): void {
    // A repeated answer is not the last if others followed it: the book keeps the first record.
    this.#book.keepResponse(caller.id, answer, { sessionId, time });
  }

  /**
   * Returns the session in which a request continues.
   *
   * @param words content of the request, for the title of a fork
   * @throws BulkheadError `usage` (400) for a response that can't be continued; `busy` if its
   *   session has to be idle for that
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

  /**
   * The entry of the assistant's message with this time: an event and its entry are one record,
   * with one time.
   */
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
    // The fork belongs to its caller from the start: nothing of the owner goes into it.
    this.#book.keep(caller.id, sessionId, sessionId);
    await this.#service.unary(method.setTitle, { sessionId, title: titleOf(caller, words) }, toTheEnd());
    return sessionId;
  }
}

function noAnswer(message: string): BulkheadError {
  return invalidRequest(message, 'previous_response_id', 'previous_response_not_found');
}
