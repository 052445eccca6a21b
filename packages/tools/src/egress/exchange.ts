import { type ClientRequest, type IncomingMessage, request as startRequest } from 'node:http';
import type { Duplex } from 'node:stream';
import { ACCEPTED_ENCODINGS } from './bounded-body.ts';
import { orAborted } from './deadline.ts';
import type { Header } from './request-headers.ts';
import { hostHeader, type WebUrl } from './web-url.ts';

const MAX_HEADER_BYTES = 32 * 1024;
const READING: ReadonlySet<string> = new Set(['GET', 'HEAD']);
const USER_AGENT = 'Bulkhead/1 (a personal agent; requests are made for one person)';

export interface OneRequest {
  readonly url: WebUrl;
  readonly method: string;
  readonly headers: readonly Header[];
  readonly body: Buffer | undefined;
}

/**
 * Sends one request over an open connection and returns the head of its answer. Node's client
 * receives the connection and never opens one.
 *
 * @throws Error of the connection; the signal's reason
 */
export async function exchange(
  connection: Duplex,
  { url, method, headers, body }: OneRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const request = startRequest({
    createConnection: () => connection,
    method,
    path: url.target,
    setHost: false,
    headers: [...framing(url, body, method), ...defaults(headers), ...headers].flat(),
    maxHeaderSize: MAX_HEADER_BYTES,
    insecureHTTPParser: false,
  });
  try {
    return await orAborted(answerOf(request, body), signal);
  } catch (error) {
    request.destroy();
    throw error;
  }
}

/** Only this code sets the headers that name the target and the length of the request. */
function framing(url: WebUrl, body: Buffer | undefined, method: string): readonly Header[] {
  const length: readonly Header[] =
    body === undefined && READING.has(method) ? [] : [['Content-Length', String(body?.length ?? 0)]];
  return [
    ['Host', hostHeader(url)],
    ['Connection', 'close'],
    ['Accept-Encoding', ACCEPTED_ENCODINGS],
    ...length,
  ];
}

function defaults(headers: readonly Header[]): readonly Header[] {
  const given = new Set(headers.map(([name]) => name.toLowerCase()));
  const own: readonly Header[] = [
    ['Accept', '*/*'],
    ['User-Agent', USER_AGENT],
  ];
  return own.filter(([name]) => !given.has(name.toLowerCase()));
}

function answerOf(request: ClientRequest, body: Buffer | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve);
    // An upgraded connection is not an answer: its bytes would go unread.
    request.once('upgrade', (_, socket) => {
      socket.destroy();
      reject(new Error('the server wants to speak another protocol'));
    });
    // This listener stays for errors after the head: the response reports them to the body's
    // reader.
    request.on('error', reject);
    request.end(body);
  });
}
