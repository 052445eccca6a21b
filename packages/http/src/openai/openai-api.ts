import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type BulkheadError, type Clock, createIdSource, type Timers } from '@bulkhead/protocol';
import { ClientService } from '@bulkhead/protocol/client';
import { refusal, sendJson } from '../answer.ts';
import { readJsonBody } from '../api/read-body.ts';
import type { Proof } from '../checks/proof.ts';
import type { Service } from '../service.ts';
import { invalidRequest, sendApiError } from './api-error.ts';
import type { Asked } from './asked.ts';
import { AtOnce } from './at-once.ts';
import { type Caller, callerOf } from './caller.ts';
import type { CallerBook } from './caller-book.ts';
import { CallerSessions, type Destination } from './caller-sessions.ts';
import { checkDepth } from './check-depth.ts';
import { type Conversation, type ConverseParts, converse, type Question } from './converse.ts';
import { type AnswerHead, checkKey, type KeyedAnswer, KeyedAnswers } from './keyed-answers.ts';
import { chosenModel, modelObject, noModel, OWN_MODEL } from './model-choice.ts';
import { OpenRuns } from './open-runs.ts';
import { readChatRequest } from './read-chat-request.ts';
import { readResponsesRequest } from './read-responses-request.ts';
import type { AnswerEnd } from './run-answer.ts';
import { type Sending, sendChat, streamChat } from './send-chat.ts';
import { sendResponse, streamResponse } from './send-response.ts';
import { StoredAnswers } from './stored-answers.ts';
import { toTheEnd } from './to-the-end.ts';

/** Largest request body: a conversation with its images. */
const BODY_BYTES = 24 * 1024 * 1024;

export interface OpenAiApiParts {
  readonly service: Service;
  readonly book: CallerBook;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Converts an error for the client; internal failures are logged. */
  publicError(error: unknown): BulkheadError;
}

/** A request that was read. */
interface Arrived {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly caller: Caller;
  readonly asked: Asked;
  readonly body: unknown;
}

/** An answer that has begun. */
interface Begun {
  readonly head: AnswerHead;
  readonly conversation: Conversation;
  readonly headers: Readonly<Record<string, string>>;
}

const NOWHERE: Destination = { sessionId: undefined, name: undefined, folder: undefined };
/** Header of an answer whose key was known before. */
const REPLAYED = { 'x-bulkhead-replayed': 'true' };

/**
 * Serves the OpenAI API to programs: the agent acts as a model. The caller is already
 * authenticated.
 */
export class OpenAiApi {
  readonly #parts: OpenAiApiParts;
  readonly #converse: ConverseParts;
  readonly #atOnce = new AtOnce();
  readonly #answers: KeyedAnswers;
  readonly #stored: StoredAnswers;

  constructor(parts: OpenAiApiParts) {
    const { service, book, clock, timers } = parts;
    this.#parts = parts;
    this.#answers = new KeyedAnswers(book);
    this.#stored = new StoredAnswers(service, book);
    this.#converse = {
      service,
      timers,
      sessions: new CallerSessions(service, book),
      runs: new OpenRuns(clock),
      ids: createIdSource(() => clock.now()),
    };
  }

  /** @param pathname below `/v1/` @throws BulkheadError to report in the format of that API */
  async handle(
    request: IncomingMessage,
    response: ServerResponse,
    proof: Proof,
    pathname: string,
  ): Promise<void> {
    const call = `${request.method} ${pathname}`;
    if (call === 'POST /v1/chat/completions') return await this.#chat(request, response, callerOf(proof));
    if (call === 'POST /v1/responses') return await this.#responses(request, response, callerOf(proof));
    if (call === 'GET /v1/models') return await this.#models(response);
    const id = /^GET \/v1\/models\/(.+)$/.exec(call)?.[1];
    if (id !== undefined) return await this.#model(response, decoded(id));
    throw refusal(
      404,
      'not_found',
      `there is no ${call} here: see /v1/models, /v1/chat/completions and /v1/responses`,
    );
  }

  /** @param error the refusal from `handle` or an earlier check */
  refuse(response: ServerResponse, error: unknown): void {
    sendApiError(response, error);
  }

  async #chat(request: IncomingMessage, response: ServerResponse, caller: Caller): Promise<void> {
    using _place = this.#atOnce.enter(caller.id);
    const body = await bodyOf(request);
    const asked = readChatRequest(body);
    const { head, conversation, headers } = await this.#begin({ request, response, caller, asked, body });
    const chatHead = { ...head, id: `chatcmpl-${head.id}` };
    const sending = this.#sending(response, headers);
    if (asked.stream) await streamChat(chatHead, conversation, asked.includeUsage, sending);
    else await sendChat(chatHead, conversation, sending);
  }

  async #responses(request: IncomingMessage, response: ServerResponse, caller: Caller): Promise<void> {
    using _place = this.#atOnce.enter(caller.id);
    const body = await bodyOf(request);
    const asked = readResponsesRequest(body);
    const {
      head,
      conversation: begun,
      headers,
    } = await this.#begin({ request, response, caller, asked, body });
    const { previous, store, oneCall } = asked;
    const id = `resp_${head.id}`;
    const responseHead = { id, createdAt: head.created, model: head.model, previous, store, oneCall };
    const keep = (end: AnswerEnd) =>
      this.#stored.keep(caller, id, begun.sessionId, 'time' in end ? end.time : undefined);
    const conversation = store ? { ...begun, answer: thenKept(begun.answer, keep) } : begun;
    const sending = this.#sending(response, headers);
    if (asked.stream) await streamResponse(responseHead, conversation, sending);
    else await sendResponse(responseHead, conversation, sending);
  }

  /** Begins an answer, or continues the one of an earlier request with the same key. */
  async #begin(arrived: Arrived): Promise<Begun> {
    const { request, response, caller, asked, body } = arrived;
    const { clock } = this.#parts;
    // Registered before the first await, so that a client that leaves during one is noticed.
    const left = new AbortController();
    response.once('close', () => left.abort());
    const configured = await this.#configured();
    const model = chosenModel(asked.model, configured);
    const head: AnswerHead = {
      id: this.#converse.ids(),
      created: Math.floor(clock.now() / 1_000),
      model: model === '' ? configured : model,
    };
    const key = checkKey(header(request, 'idempotency-key'));
    if (key !== undefined) {
      const keyed = { caller: caller.id, key, fingerprint: fingerprintOf(request, body) };
      // A client that leaves can return for it.
      const start = (answer: KeyedAnswer) => this.#start(arrived, model, answer.head, toTheEnd(), answer);
      return await this.#answers.start(keyed, head, start);
    }
    return await this.#start(arrived, model, head, left.signal);
  }

  async #start(
    { request, caller, asked }: Arrived,
    model: string,
    head: AnswerHead,
    signal: AbortSignal,
    keyed?: KeyedAnswer,
  ): Promise<Begun> {
    const isAgain = keyed?.known !== undefined;
    const question: Question = {
      caller,
      asked,
      model,
      // A known answer has its session already.
      destination: isAgain ? NOWHERE : await this.#destination(request, caller, asked),
      mayAsk: mayAsk(request),
      keyed,
    };
    const conversation = await converse(this.#converse, question, signal);
    const headers = { ...headersOf(asked, conversation.sessionId), ...(isAgain ? REPLAYED : {}) };
    return { head, conversation, headers };
  }

  /** Chooses the session: from the previous answer, else from the header, else from the user. */
  async #destination(request: IncomingMessage, caller: Caller, asked: Asked): Promise<Destination> {
    const { user, previous, items } = asked;
    const words = items.findLast((item) => item.kind === 'user')?.text ?? '';
    return {
      sessionId:
        previous === undefined ? undefined : await this.#stored.sessionAfter(caller, previous, words),
      name: header(request, 'x-bulkhead-session') ?? user,
      folder: folderOf(request, caller),
    };
  }

  #sending(response: ServerResponse, headers: Sending['headers']): Sending {
    const { timers, publicError } = this.#parts;
    return { response, timers, headers, publicError };
  }

  async #models(response: ServerResponse): Promise<void> {
    const ids = [OWN_MODEL, await this.#configured()];
    sendJson(response, 200, { object: 'list', data: ids.map(modelObject) });
  }

  async #model(response: ServerResponse, id: string): Promise<void> {
    const configured = await this.#configured();
    if (id !== OWN_MODEL && id !== configured) throw noModel(id, configured);
    sendJson(response, 200, modelObject(id));
  }

  async #configured(): Promise<string> {
    const { service } = this.#parts;
    return (await service.unary(ClientService.method.status, {}, toTheEnd())).model;
  }
}

/** Keeps a complete answer before its end is sent: a failed answer can't be continued. */
async function* thenKept(
  answer: Conversation['answer'],
  keep: (end: AnswerEnd) => void,
): Conversation['answer'] {
  const end = yield* answer;
  keep(end);
  return end;
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const body = await readJsonBody(request, BODY_BYTES);
  checkDepth(body);
  return body;
}

function headersOf({ ignored }: Asked, sessionId: string): Readonly<Record<string, string>> {
  return {
    'x-bulkhead-session': sessionId,
    ...(ignored.length === 0 ? {} : { 'x-bulkhead-ignored': ignored.join(', ') }),
  };
}

/** @throws BulkheadError `denied` (403) for a program that names a folder */
function folderOf(request: IncomingMessage, { isOwner }: Caller): string | undefined {
  const folder = header(request, 'x-bulkhead-folder');
  if (folder === undefined || isOwner) return folder;
  throw refusal(403, 'denied', 'a program does not choose the folder that it works in');
}

/** @throws BulkheadError `usage` (400) for an invalid value */
function mayAsk(request: IncomingMessage): boolean {
  const says = header(request, 'x-bulkhead-approve') ?? 'deny';
  if (says === 'deny' || says === 'ask') return says === 'ask';
  throw invalidRequest('x-bulkhead-approve is "deny" or "ask"', 'x-bulkhead-approve');
}

function header({ headersDistinct }: IncomingMessage, name: string): string | undefined {
  const values = headersDistinct[name] ?? [];
  if (values.length > 1) throw invalidRequest(`the header ${name} is there twice`, name);
  return values[0];
}

/** Fingerprint of a request's content: one key allows one fingerprint. */
function fingerprintOf(request: IncomingMessage, body: unknown): string {
  const names = ['x-bulkhead-session', 'x-bulkhead-folder', 'x-bulkhead-approve'];
  const asked = [request.url, ...names.map((name) => header(request, name) ?? ''), body];
  return createHash('sha256').update(JSON.stringify(asked)).digest('hex');
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
