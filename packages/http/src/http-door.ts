import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type BulkheadError, OWNER_ID, PROOF_ENDED } from '@bulkhead/protocol';
import { ClientService } from '@bulkhead/protocol/client';
import { API_ROOT } from '@bulkhead/protocol/routes';
import { WebSocketServer } from 'ws';
import {
  errorBody,
  plainHeaders,
  refusal,
  retryAfter,
  sendError,
  sendJson,
  statusOf,
  toldError,
} from './answer.ts';
import { drainBody } from './api/drain-body.ts';
import { metricsText } from './api/metrics.ts';
import { readJsonBody } from './api/read-body.ts';
import { serveCall } from './api/serve-call.ts';
import { Gate } from './checks/gate.ts';
import { HolderRates } from './checks/holder-rates.ts';
import { HostAndOrigin } from './checks/host-and-origin.ts';
import type { Proof } from './checks/proof.ts';
import { ProvenSockets } from './checks/proven-sockets.ts';
import { refuseFromBrowser } from './checks/refuse-from-browser.ts';
import { clearCookie, setCookie } from './checks/session-cookie.ts';
import type { DoorParts } from './door-parts.ts';
import { CallRoom } from './front/call-room.ts';
import type { Door } from './front/serve-front.ts';
import { OpenAiApi } from './openai/openai-api.ts';
import { WebFiles } from './pages/web-files.ts';
import { Router } from './routes/router.ts';
import { createService, type Service } from './service.ts';
import { EventStream } from './stream/event-stream.ts';
import { afterOf } from './stream/parse-frame.ts';

/** Largest frame a client may send on the event stream, in bytes. */
const MAX_FRAME_BYTES = 1024 * 1024;
/** Watches and other streaming calls of one token or login, on all its sockets. */
const MOST_WATCHES = 192;
/** Largest body of a login: a code has 64 letters. */
const LOGIN_BYTES = 4 * 1024;

/**
 * The HTTP door. It decides who may come in, in this order: host and origin, proof, rate, then the
 * route, which bounds the input. The client service decides about the call itself, as on all other
 * ways.
 */
export class HttpDoor implements Door {
  readonly #parts: DoorParts;
  readonly #service: Service;
  readonly #files: WebFiles;
  readonly #origins: HostAndOrigin;
  readonly #sockets: ProvenSockets;
  readonly #gate: Gate;
  readonly #router = new Router();
  readonly #openAi: OpenAiApi;
  readonly #rates: HolderRates;
  readonly #room = new CallRoom();
  /** Fewer than calls, so that a client with the most watches can still make calls. */
  readonly #watches = new CallRoom({ calls: MOST_WATCHES, bytes: 0 });
  readonly #streams = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
    clientTracking: true,
  });

  private constructor(parts: DoorParts, files: WebFiles) {
    const { access, clock, timers, facts, book } = parts;
    this.#parts = parts;
    this.#files = files;
    this.#service = createService(parts.transport, (error) => parts.errorOf(error));
    this.#openAi = new OpenAiApi({
      service: this.#service,
      book,
      clock,
      timers,
      publicError: (error) => this.#publicError(error),
    });
    this.#origins = new HostAndOrigin(facts.port);
    this.#sockets = new ProvenSockets(access, timers);
    this.#gate = new Gate({ access, sockets: this.#sockets, clock, timers, port: facts.port });
    this.#rates = new HolderRates(access, clock);
  }

  static async open(parts: DoorParts): Promise<HttpDoor> {
    return new HttpDoor(parts, await WebFiles.open(parts.webFolder));
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      this.#origins.check(request);
      await this.#answer(request, response, addressOf(request));
    } catch (error) {
      const known = this.#publicError(error);
      // The browser deletes a login that has ended, or each of its tabs would try it again. A wrong
      // code says nothing about the cookie: any page can link here with one.
      const isRefused = known.code === 'unauthenticated' && request.url !== `${API_ROOT}/login`;
      const forget = isRefused && request.headers.cookie !== undefined;
      await drainBody(request, this.#parts.timers);
      if (isOpenAi(request.url ?? '')) this.#openAi.refuse(response, known);
      else sendError(response, known, forget ? { 'set-cookie': clearCookie(this.#parts.facts.port) } : {});
    }
  }

  async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    try {
      this.#origins.check(request);
      const { pathname, searchParams } = addressOf(request);
      const proof = await this.#gate.prove(request, true);
      if (pathname !== `${API_ROOT}/stream`)
        throw refusal(404, 'not_found', `the event stream is at ${API_ROOT}/stream`);
      if (proof.kind === 'program') throw notForPrograms();
      this.#rates.take(proof);
      const first = firstWatch(searchParams);
      this.#keep(socket, proof);
      this.#streams.handleUpgrade(request, socket, head, (client) => {
        const ended = this.#sockets.onEnd(proof, () => client.close(PROOF_ENDED, 'this login has ended'));
        client.once('close', () => ended[Symbol.dispose]());
        const publicError = (error: unknown): BulkheadError => this.#publicError(error);
        const enter = (): Disposable => this.#watches.enter(proof.id);
        const parts = { service: this.#service, timers: this.#parts.timers, publicError, enter };
        const stream = new EventStream(client, parts);
        if (first !== undefined) stream.watch(first);
      });
    } catch (error) {
      refuseUpgrade(socket, this.#publicError(error));
    }
  }

  close(): void {
    this.#sockets[Symbol.dispose]();
    this.#rates[Symbol.dispose]();
    for (const client of this.#streams.clients) client.terminate();
    this.#streams.close();
  }

  /**
   * @param response the last one on the socket if there is no room for it
   * @throws BulkheadError `rate_limit` (429)
   */
  #keep(socket: Duplex, { id, kind }: Proof, response?: ServerResponse): void {
    if (this.#parts.facts.keep(socket, { id, isProgram: kind === 'program' })) return;
    if (response !== undefined) response.shouldKeepAlive = false;
    throw refusal(429, 'rate_limit', 'this token has too many sockets open', {
      fix: 'Use those that are open, or close some.',
      retryAfterSeconds: 1,
    });
  }

  async #answer(
    request: IncomingMessage,
    response: ServerResponse,
    { pathname, searchParams }: URL,
  ): Promise<void> {
    if (pathname === `${API_ROOT}/login`) return this.#logIn(request, response);
    if (!isGuarded(pathname)) return this.#page(request, response, pathname);
    const proof = await this.#gate.prove(request);
    const call = this.#room.enter(proof.id);
    // A client must not send its next request on a connection that is about to be closed.
    const ended = this.#sockets.onEnd(proof, () => {
      response.shouldKeepAlive = false;
    });
    response.once('close', () => {
      call[Symbol.dispose]();
      ended[Symbol.dispose]();
    });
    this.#keep(request.socket, proof, response);
    this.#rates.take(proof);
    if (proof.kind === 'program' && !pathname.startsWith('/v1/')) throw notForPrograms();
    if (pathname === `${API_ROOT}/logout`) return this.#logOut(proof, request, response);
    if (pathname === '/openapi.json') return await this.#openApi(response);
    if (pathname === '/metrics') return this.#metrics(response);
    if (isOpenAi(pathname)) return await this.#openAi.handle(request, response, proof, pathname);
    if (!pathname.startsWith(`${API_ROOT}/`))
      throw refusal(404, 'not_found', 'there is nothing at this address');
    const found = this.#router.find(request.method ?? '', pathname.slice(API_ROOT.length));
    await serveCall(found, searchParams, request, response, {
      service: this.#service,
      // A login is a browser of the owner; programs come no further than `/v1`.
      origin: { channel: proof.kind === 'login' ? 'web' : 'api', sender: { id: OWNER_ID } },
      publicError: (error) => this.#publicError(error),
      check: (input) => refuseFromBrowser(proof, input),
      arrived: (bytes) => call.arrived(bytes),
      streams: () => this.#watches.enter(proof.id),
    });
  }

  async #logOut(proof: Proof, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') throw refusal(405, 'usage', 'a logout is a POST');
    await readJsonBody(request, LOGIN_BYTES);
    await this.#parts.access.logOut(proof);
    const forget = clearCookie(this.#parts.facts.port);
    sendJson(response, 200, {}, { 'set-cookie': forget, connection: 'close' });
  }

  /** Loaded on the first request: most engines never need it. */
  async #openApi(response: ServerResponse): Promise<void> {
    const { openApiDocument } = await import('./openapi/openapi-document.ts');
    sendJson(response, 200, openApiDocument(this.#parts.facts.port));
  }

  async #metrics(response: ServerResponse): Promise<void> {
    const status = await this.#service.unary(ClientService.method.status, {}, AbortSignal.timeout(5_000));
    const text = metricsText(status, this.#streams.clients.size);
    response.writeHead(200, plainHeaders('text/plain; version=0.0.4; charset=utf-8'));
    response.end(text);
  }

  async #logIn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') throw refusal(405, 'usage', 'a login is a POST');
    if (request.headers.origin === undefined) throw refusal(403, 'denied', 'a login comes from our own page');
    const body = await readJsonBody(request, LOGIN_BYTES);
    const login = await this.#gate.logIn(request, codeOf(body));
    if (login === undefined) return sendJson(response, 200, {});
    const cookie = setCookie(this.#parts.facts.port, login.secret, login.maxAgeSeconds);
    sendJson(response, 200, {}, { 'set-cookie': cookie });
  }

  async #page(request: IncomingMessage, response: ServerResponse, pathname: string): Promise<void> {
    this.#gate.admit(request);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw refusal(405, 'usage', 'files are read with GET');
    }
    const { status, headers, body } = await this.#files.page(pathname);
    response.writeHead(status, headers);
    response.end(request.method === 'HEAD' ? undefined : body);
  }

  #publicError(error: unknown): BulkheadError {
    return toldError(error, (inside) => this.#parts.onError(inside));
  }
}

/** True for paths of the OpenAI API. */
function isOpenAi(path: string): boolean {
  return path.startsWith('/v1/');
}

/** True for all paths that reveal something about the owner. */
function isGuarded(pathname: string): boolean {
  return /^\/(api|v1)(\/|$)/.test(pathname) || pathname === '/openapi.json' || pathname === '/metrics';
}

function addressOf({ url = '/' }: IncomingMessage): URL {
  try {
    if (!url.startsWith('/')) throw new Error('not a path');
    return new URL(`http://door${url}`);
  } catch {
    throw refusal(400, 'usage', 'the address can not be read');
  }
}

function codeOf(body: unknown): string {
  if (typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'string')
    return body.code;
  throw refusal(400, 'usage', 'a login is {"code": "…"}');
}

function firstWatch(query: URLSearchParams) {
  const unknown = [...query.keys()].find((name) => name !== 'session' && name !== 'after');
  if (unknown !== undefined) throw refusal(400, 'usage', 'the event stream knows ?session and ?after');
  const session = query.get('session');
  const after = query.get('after');
  if (session === null) {
    if (after === null) return undefined;
    throw refusal(400, 'usage', '?after is of a session: name it with ?session');
  }
  return { session, after: afterOf(/^\d{1,10}$/.test(after ?? '0') ? Number(after) : after) };
}

function notForPrograms(): BulkheadError {
  return refusal(403, 'denied', 'a program’s token opens /v1 only');
}

function refuseUpgrade(socket: Duplex, error: BulkheadError): void {
  const body = JSON.stringify(errorBody(error));
  const head = [
    `HTTP/1.1 ${statusOf(error)} Refused`,
    'Connection: close',
    'Content-Type: application/json',
    'X-Content-Type-Options: nosniff',
    ...Object.entries(retryAfter(error)).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
