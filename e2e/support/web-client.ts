import { once } from 'node:events';
import { type Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import type { Script } from '@bulkhead/testkit';
import { OFFLINE_TITLES, type Stage } from './stage.ts';

interface WebAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

interface WebAsk {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
  readonly agent?: Agent;
}

/** A client of a running engine's HTTP door, who knows the owner's token. */
export class WebClient {
  readonly #stage: Stage;
  readonly address: string;
  readonly token: string;
  /** All that was ever answered, but for the cookie of a login. */
  readonly answered: string[] = [];

  private constructor(stage: Stage, address: string, token: string) {
    this.#stage = stage;
    this.address = address;
    this.token = token;
  }

  /** Of the engine that runs on the stage. */
  static async of(stage: Stage): Promise<WebClient> {
    using client = await stage.client();
    const { httpAddress } = await client.call('status', {});
    const { token } = await client.call('readAccessToken', {});
    return new WebClient(stage, httpAddress, token);
  }

  get host(): string {
    return this.address.slice('http://'.length);
  }

  get bearer(): { readonly authorization: string } {
    return { authorization: `Bearer ${this.token}` };
  }

  /** One request with exactly these headers beside `Host`; on a socket of its own unless an agent is given. */
  async raw(path: string, { method = 'GET', headers = {}, body, agent }: WebAsk = {}): Promise<WebAnswer> {
    const [host = '', port = ''] = this.host.split(':');
    const sent = request({
      host,
      port,
      path,
      method,
      headers: { host: this.host, ...headers },
      ...(agent === undefined ? { agent: false } : { agent }),
    });
    sent.end(body);
    const [response] = await once(sent, 'response');
    sent.on('error', () => {});
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += chunk;
    this.answered.push(JSON.stringify({ ...response.headers, 'set-cookie': undefined }), text);
    return { status: response.statusCode, headers: response.headers, text };
  }

  /** A call as the owner: JSON in, JSON out. @throws Error unless it is answered with 200 */
  async call(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
    const { status, text } = await this.raw(`/api/v1${path}`, {
      method,
      headers: { ...this.bearer, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${text}`);
    return JSON.parse(text);
  }

  /** A session in the stage's folder. */
  async session(): Promise<string> {
    return String((await this.call('POST', '/sessions', { workingFolder: this.#stage.folder }))['sessionId']);
  }

  async send(sessionId: string, messageId: string, content: string): Promise<void> {
    await this.call('POST', `/sessions/${sessionId}/messages`, { messageId, content });
  }

  /** A socket on the event stream, opening. */
  socket(query = '', headers: Readonly<Record<string, string>> = this.bearer): WebSocket {
    return new WebSocket(`${this.address.replace('http', 'ws')}/api/v1/stream${query}`, { headers });
  }

  /** The session cookie of a new login, as a browser sends it. */
  async logIn(): Promise<{ readonly cookie: string; readonly origin: string }> {
    const { stdout } = await this.#stage.cli(['token', '--login']);
    const [origin = '', code = ''] = stdout.trim().split('/#login=');
    const { status, headers } = await this.raw('/api/v1/login', {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
    });
    if (status !== 200) throw new Error(`the login was answered with ${status}`);
    return { cookie: headers['set-cookie']?.[0]?.split(';')[0] ?? '', origin };
  }
}

/** An engine on the stage with a model that answers so, and a client of its door. */
export async function serveWeb(stage: Stage, script: Script): Promise<WebClient> {
  await stage.model(script, { models: OFFLINE_TITLES });
  await stage.withEngine();
  return await WebClient.of(stage);
}

/** Frames of a socket, as they come. */
export function framesOf(socket: WebSocket): string[] {
  const seen: string[] = [];
  socket.addEventListener('message', ({ data }) => seen.push(String(data)));
  return seen;
}

/** @returns the code a socket is closed with */
export async function closeOf(socket: WebSocket): Promise<number> {
  return await new Promise((resolve) => {
    socket.addEventListener('close', ({ code }) => resolve(code), { once: true });
  });
}

/** @throws Error if it is refused */
export async function openOf(socket: WebSocket): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve(), { once: true });
    socket.addEventListener('error', () => reject(new Error('the socket was refused')), { once: true });
  });
}
