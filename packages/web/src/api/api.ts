import type {
  DescMessage,
  DescMethodServerStreaming,
  DescMethodUnary,
  JsonValue,
  MessageInitShape,
  MessageShape,
} from '@bufbuild/protobuf';
import { API_ROOT, isInQuery, ROUTES, type Route } from '@bulkhead/protocol/routes';
import { readMessage } from '../contract/read-message.ts';
import { writeMessage } from '../contract/write-message.ts';
import { ApiError } from './api-error.ts';

export interface ApiOptions {
  readonly fetch: typeof fetch;
  /** Called when the engine refuses the login: the cookie is missing, too old, or revoked. */
  readonly onRefused: () => void;
}

/**
 * Calls of the client service over HTTP. The contract decides how messages are read and written.
 */
export class Api {
  readonly #options: ApiOptions;

  constructor(options: ApiOptions) {
    this.#options = options;
  }

  /** @throws ApiError with the engine's code, or `unreachable` */
  async call<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    init: MessageInitShape<I>,
  ): Promise<MessageShape<O>> {
    const response = await this.#send(partsOf(method, init));
    return readMessage(method.output, await jsonOf(response));
  }

  /** A call with a stream of messages. @throws ApiError, also after some of them */
  async *stream<I extends DescMessage, O extends DescMessage>(
    method: DescMethodServerStreaming<I, O>,
    init: MessageInitShape<I>,
  ): AsyncGenerator<MessageShape<O>> {
    const response = await this.#send(partsOf(method, init));
    for await (const line of jsonLines(response.body)) {
      const failure = failureOf(line);
      if (failure !== undefined) throw failure;
      yield readMessage(method.output, line);
    }
  }

  /** Redeems the code of a login link. @throws ApiError if it is wrong, used or too old */
  async logIn(code: string): Promise<void> {
    await this.#send({ verb: 'POST', path: '/login', body: { code } });
  }

  /** Ends this browser's login. */
  async logOut(): Promise<void> {
    await this.#send({ verb: 'POST', path: '/logout', body: {} });
  }

  async #send({ verb, path, body }: RequestParts): Promise<Response> {
    let response: Response;
    try {
      response = await this.#options.fetch(API_ROOT + path, {
        method: verb,
        credentials: 'same-origin',
        cache: 'no-store',
        // The server requires it for every change, with or without a body.
        ...(verb === 'GET' ? {} : { headers: { 'content-type': 'application/json' } }),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    } catch {
      throw new ApiError('unreachable', 'The engine does not answer.', 'Is it running? bulkhead start');
    }
    if (response.ok) return response;
    if (response.status === 401 && path !== '/login') this.#options.onRefused();
    throw (
      failureOf(await jsonOf(response)) ?? new ApiError('internal', `The engine answered ${response.status}.`)
    );
  }
}

function partsOf<I extends DescMessage>(
  { localName, input }: { readonly localName: string; readonly input: I },
  init: MessageInitShape<I>,
): RequestParts {
  const route = ROUTES[localName];
  if (route === undefined)
    throw new ApiError('not_available', `${localName} can't be called from a browser.`);
  return requestParts(route, writeMessage(input, init));
}

async function jsonOf(response: Response): Promise<JsonValue> {
  try {
    const json: JsonValue = await response.json();
    return json;
  } catch {
    return {};
  }
}

function failureOf(json: JsonValue): ApiError | undefined {
  if (!isObject(json) || !isObject(json['error'])) return undefined;
  const { code, message, fix } = json['error'];
  return new ApiError(textOf(code) || 'internal', textOf(message) || 'It failed.', textOf(fix));
}

function isObject(value: JsonValue | undefined): value is { [name: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** The values of a body of JSON lines, as they arrive. */
async function* jsonLines(body: ReadableStream<Uint8Array<ArrayBuffer>> | null): AsyncGenerator<JsonValue> {
  if (body === null) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const lines = (rest + value).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line !== '') yield JSON.parse(line);
    }
    if (rest !== '') yield JSON.parse(rest);
  } finally {
    await reader.cancel();
  }
}

/** A request in the form of `fetch`. */
interface RequestParts {
  readonly verb: string;
  /** Below `/api/v1`, with the query. */
  readonly path: string;
  readonly body?: JsonValue;
}

/**
 * Puts a message's members into the places that its route defines.
 *
 * @param json the message
 */
export function requestParts(route: Route, json: JsonValue): RequestParts {
  const { verb, path } = route;
  const rest = new Map(Object.entries(typeof json === 'object' && json !== null ? json : {}));
  const filled = path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    return encodeURIComponent(String(value ?? ''));
  });
  if (!isInQuery(route)) return { verb, path: filled, body: Object.fromEntries(rest) };
  const query = new URLSearchParams([...rest].map(([name, value]) => [name, String(value)]));
  return { verb, path: query.size === 0 ? filled : `${filled}?${query}` };
}
