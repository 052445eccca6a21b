import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, request as startRequest } from 'node:http';
import { BulkheadError } from '@bulkhead/protocol';
import { hostHeader, parseWebUrl, type WebUrl } from '@bulkhead/tools';
import { endWith, piecesOf } from './proxy-traffic.ts';
import { connectAllowed, type ProxyParts } from './tunnel.ts';

/** Headers of the connection, not of its content (RFC 9110, 7.6.1), and those for proxies only. */
const OF_THE_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
  'expect',
]);
const METHOD_WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/**
 * A request in absolute form (`GET http://host/…`): parsed, checked and rewritten, so that the
 * server reads exactly the checked request.
 *
 * @throws BulkheadError `blocked` or `invalid_arguments` before anything was answered
 */
export async function plainRequest(
  parts: ProxyParts,
  request: IncomingMessage,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const url = targetOf(request);
  const upstream = await connectAllowed(parts, { host: url.host, port: url.port, plain: true }, signal);
  using _ends = endWith(signal, parts.limits.idleMs, upstream);
  parts.traffic.reach(`${url.host.text}:${url.port}`);
  const forwarded = startRequest({
    createConnection: () => upstream,
    method: request.method ?? 'GET',
    path: url.target,
    setHost: false,
    headers: { ...carried(request), host: hostHeader(url), connection: 'close' },
    insecureHTTPParser: false,
  });
  const [, answer] = await Promise.all([
    send(parts, request, forwarded, signal),
    answerTo(forwarded, signal),
  ]);
  response.writeHead(answer.statusCode ?? 502, carried(answer));
  await parts.traffic.carry(piecesOf(answer), response, signal);
}

/** @throws BulkheadError `invalid_arguments` for a bad target or a `Host` that differs from it */
function targetOf(request: IncomingMessage): WebUrl {
  const url = parseWebUrl(request.url ?? '');
  if (url.scheme !== 'http') throw new BulkheadError('invalid_arguments', 'https goes through CONNECT');
  const hosts = request.headersDistinct['host'] ?? [];
  if (hosts.length !== 1 || hosts[0]?.toLowerCase() !== hostHeader(url)) {
    throw new BulkheadError(
      'blocked',
      `the request is for ${hostHeader(url)} and its Host header says otherwise`,
    );
  }
  return url;
}

async function send(
  { traffic }: ProxyParts,
  request: IncomingMessage,
  forwarded: ReturnType<typeof startRequest>,
  signal: AbortSignal,
): Promise<void> {
  const { headers, method = 'GET' } = request;
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  if (!hasBody && METHOD_WITHOUT_BODY.has(method)) {
    forwarded.end();
    return;
  }
  await traffic.carry(piecesOf(request), forwarded, signal);
}

async function answerTo(
  forwarded: ReturnType<typeof startRequest>,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  forwarded.on('error', () => {});
  const [answer]: IncomingMessage[] = await once(forwarded, 'response', { signal });
  if (answer === undefined) throw new BulkheadError('internal', 'an answer without an answer');
  return answer;
}

function carried({ headersDistinct, headers }: IncomingMessage): Record<string, string[]> {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  const kept = Object.entries(headersDistinct).filter(
    ([name]) => !OF_THE_CONNECTION.has(name) && !named.includes(name),
  );
  return Object.fromEntries(kept.map(([name, values = []]) => [name, values]));
}
