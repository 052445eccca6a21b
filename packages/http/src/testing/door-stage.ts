import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BulkheadError, systemTimers, type Timers } from '@bulkhead/protocol';
import { ClientService } from '@bulkhead/protocol/client';
import { createRouterTransport, type ServiceImpl } from '@connectrpc/connect';
import { WebSocket } from 'ws';
import { type Front, serveFront } from '../front/serve-front.ts';
import { HttpDoor } from '../http-door.ts';
import { TestAccess } from './test-access.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Ask {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
}

/** The real door on a real port, before a client service whose answers the test defines. */
export class DoorStage implements AsyncDisposable {
  readonly access = new TestAccess();
  /** The internal failures. */
  readonly errors: unknown[] = [];
  /** Added to the clock, milliseconds. */
  later = 0;
  readonly folder = mkdtempSync(join(tmpdir(), 'bulkhead-door-'));
  readonly #front: Front;
  readonly #sockets: WebSocket[] = [];

  private constructor(front: Front) {
    this.#front = front;
  }

  static async open(
    service: Partial<ServiceImpl<typeof ClientService>> = {},
    prepare: (folder: string) => void = () => {},
    timers: Timers = systemTimers,
  ): Promise<DoorStage> {
    const { promise, resolve } = Promise.withResolvers<DoorStage>();
    const front = await serveFront({
      isReady: () => true,
      port: 0,
      onError: (error) => void promise.then(({ errors }) => errors.push(error)),
      load: async (facts) => {
        const stage = await promise;
        return HttpDoor.open({
          facts,
          transport: createRouterTransport((router) => router.service(ClientService, service)),
          errorOf: (error) => BulkheadError.from(error),
          access: stage.access,
          book: {
            sessionOf: () => undefined,
            keep: () => {},
            responseOf: () => undefined,
            keepResponse: () => {},
            answerOf: () => undefined,
            keepAnswer: () => {},
            folderOf: () => stage.folder,
          },
          clock: { now: () => Date.now() + stage.later, monotonic: () => performance.now() + stage.later },
          timers,
          webFolder: stage.folder,
          onError: (error) => stage.errors.push(error),
        });
      },
    });
    const stage = new DoorStage(front);
    prepare(stage.folder);
    resolve(stage);
    return stage;
  }

  get host(): string {
    return this.#front.address.slice('http://'.length);
  }

  get port(): number {
    return Number(this.host.split(':')[1]);
  }

  get cookie(): string {
    return `bulkhead_session_${this.port}=cookie-secret`;
  }

  /** One request on a socket of its own, with exactly these headers beside `Host`. */
  async ask(path: string, { method = 'GET', headers = {}, body }: Ask = {}): Promise<Answer> {
    const sent = request({
      port: this.port,
      host: '127.0.0.1',
      path,
      method,
      agent: false,
      headers: { host: this.host, ...headers },
    });
    sent.end(body);
    sent.on('error', () => {});
    const [response] = await once(sent, 'response');
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += chunk;
    return { status: response.statusCode, headers: response.headers, text };
  }

  /** As the owner, with a token. */
  owner(path: string, options: Ask = {}): Promise<Answer> {
    const json = options.body === undefined ? {} : { 'content-type': 'application/json' };
    return this.ask(path, {
      ...options,
      headers: { authorization: 'Bearer owner-secret', ...json, ...options.headers },
    });
  }

  /** A socket on the event stream. */
  socket(path: string, headers: OutgoingHttpHeaders, options: { readonly origin?: string } = {}): WebSocket {
    const socket = new WebSocket(`ws://${this.host}${path}`, { headers: { ...headers }, ...options });
    socket.on('error', () => {});
    this.#sockets.push(socket);
    return socket;
  }

  /** Status of the answer to an upgrade: 101 if it is accepted. */
  async upgrade(path: string, headers: OutgoingHttpHeaders): Promise<number> {
    const socket = this.socket(path, headers);
    return await new Promise((resolve) => {
      socket.once('open', () => resolve(101));
      socket.once('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.terminate();
    await this.#front.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
