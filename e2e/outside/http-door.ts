import { request } from 'node:http';

/** An answer. `status` 0: there was none, or the connection broke. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The text as JSON; undefined if it is none. */
  readonly body: unknown;
  readonly ms: number;
}

const TIMEOUT_MS = 30_000;

/** The HTTP door of one engine after another, on one port. The token is asked for once for each life of a home. */
export class HttpDoor {
  readonly port: number;
  readonly #askToken: () => Promise<string>;
  #token: Promise<string> | undefined;

  constructor(port: number, askToken: () => Promise<string>) {
    this.port = port;
    this.#askToken = askToken;
  }

  get(path: string): Promise<Answer> {
    return this.#call('GET', path, undefined);
  }

  post(path: string, body: object): Promise<Answer> {
    return this.#call('POST', path, JSON.stringify(body));
  }

  /** The value of the header that proves who calls. */
  async authorization(): Promise<string> {
    this.#token ??= this.#askToken();
    return `Bearer ${await this.#token}`;
  }

  /** A home that was made anew has another token. */
  forgetToken(): void {
    this.#token = undefined;
  }

  async #call(method: string, path: string, body: string | undefined): Promise<Answer> {
    const headers = {
      ...(path === '/healthz' ? {} : { authorization: await this.authorization() }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const began = performance.now();
    return await new Promise<Answer>((resolve) => {
      const end = (status: number, text: string, given: Answer['headers']): void =>
        resolve({ status, headers: given, text, body: jsonOf(text), ms: performance.now() - began });
      const sent = request({
        host: '127.0.0.1',
        port: this.port,
        method,
        path,
        headers,
        timeout: TIMEOUT_MS,
      });
      sent.on('response', (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => {
          text += part;
        });
        response.on('end', () => end(response.statusCode ?? 0, text, response.headers));
        response.on('error', () => end(0, '', {}));
      });
      sent.on('timeout', () => sent.destroy());
      sent.on('error', () => end(0, '', {}));
      sent.end(body);
    });
  }
}

function jsonOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
