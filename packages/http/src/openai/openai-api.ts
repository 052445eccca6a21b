import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Clock, createIdSource, type Timers } from '@bulkhead/protocol';
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
import { type ConverseParts, converse, type Question } from './converse.ts';
import { chosenModel, modelObject, noModel, OWN_MODEL } from './model-choice.ts';
import { OpenRuns } from './open-runs.ts';
import { readChatRequest } from './read-chat-request.ts';
import { readResponsesRequest } from './read-responses-request.ts';
import { sendChat, streamChat } from './send-chat.ts';
import { sendResponse, streamResponse } from './send-response.ts';

/** A conversation with its images. */
const BODY_BYTES = 24 * 1024 * 1024;

export interface OpenAiApiParts {
  readonly service: Service;
  readonly book: CallerBook;
  readonly clock: Clock;
  readonly timers: Timers;
}

/** What OpenAI's API is to programs that speak it: the agent as a model. Who calls was proved before. */
export class OpenAiApi {
  readonly #parts: OpenAiApiParts;
  readonly #converse: ConverseParts;
  readonly #atOnce = new AtOnce();

  constructor(parts: OpenAiApiParts) {
    const { service, book, clock, timers } = parts;
    this.#parts = parts;
    this.#converse = {
      service,
      timers,
      sessions: new CallerSessions(service, book),
      runs: new OpenRuns(clock),
      ids: createIdSource(() => clock.now()),
    };
  }

  /** @param pathname below `/v1/` @throws BulkheadError to be told in the words of that API */
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

  /** @param error what `handle`, or a check before it, refused with */
  refuse(response: ServerResponse, error: unknown): void {
    sendApiError(response, error);
  }

  async #chat(request: IncomingMessage, response: ServerResponse, caller: Caller): Promise<void> {
    using _place = this.#atOnce.enter(caller.id);
    const asked = readChatRequest(await bodyOf(request));
    const { question, head, sending, signal } = await this.#prepare(
      request,
      response,
      caller,
      asked,
      'messages',
    );
    const chatHead = { id: `chatcmpl-${head.id}`, created: head.created, model: head.model };
    const conversation = await converse(this.#converse, question, signal);
    const headers = headersOf(asked, conversation.sessionId);
    if (asked.stream) await streamChat(chatHead, conversation, asked.includeUsage, { ...sending, headers });
    else await sendChat(chatHead, conversation, { ...sending, headers });
  }

  async #responses(request: IncomingMessage, response: ServerResponse, caller: Caller): Promise<void> {
    using _place = this.#atOnce.enter(caller.id);
    const asked = readResponsesRequest(await bodyOf(request));
    const { question, head, sending, signal } = await this.#prepare(
      request,
      response,
      caller,
      asked,
      'input',
    );
    const { previous, store, oneCall } = asked;
    const responseHead = {
      id: `resp_${head.id}`,
      createdAt: head.created,
      model: head.model,
      previous,
      store,
      oneCall,
    };
    const conversation = await converse(this.#converse, question, signal);
    if (store) this.#converse.sessions.keepAnswer(caller, responseHead.id, conversation.sessionId);
    const headers = headersOf(asked, conversation.sessionId);
    if (asked.stream) await streamResponse(responseHead, conversation, { ...sending, headers });
    else await sendResponse(responseHead, conversation, { ...sending, headers });
  }

  async #prepare(
    request: IncomingMessage,
    response: ServerResponse,
    caller: Caller,
    asked: Asked,
    param: string,
  ) {
    const left = new AbortController();
    response.once('close', () => left.abort());
    const { clock, timers } = this.#parts;
    const configured = await this.#configured();
    const model = chosenModel(asked.model, configured);
    const question: Question = {
      caller,
      asked,
      model,
      destination: this.#destination(request, caller, asked),
      mayAsk: mayAsk(request),
      param,
    };
    const head = {
      id: this.#converse.ids(),
      created: Math.floor(clock.now() / 1_000),
      model: model === '' ? configured : model,
    };
    return { question, head, sending: { response, timers }, signal: left.signal };
  }

  /** The answer that the request goes on from says which session, else the header, else the user. */
  #destination(request: IncomingMessage, caller: Caller, { user, previous }: Asked): Destination {
    return {
      sessionId: previous === undefined ? undefined : this.#converse.sessions.afterAnswer(caller, previous),
      name: header(request, 'x-bulkhead-session') ?? user,
      folder: folderOf(request, caller),
    };
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
    return (await service.unary(ClientService.method.status, {}, new AbortController().signal)).model;
  }
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

/** @throws BulkheadError `denied` (403) for a program that would choose */
function folderOf(request: IncomingMessage, { isOwner }: Caller): string | undefined {
  const folder = header(request, 'x-bulkhead-folder');
  if (folder === undefined || isOwner) return folder;
  throw refusal(403, 'denied', 'a program does not choose the folder that it works in');
}

/** @throws BulkheadError `usage` (400) for what is no answer to that */
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

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
