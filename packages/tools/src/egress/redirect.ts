import type { IncomingMessage } from 'node:http';
import { BulkheadError } from '@bulkhead/protocol';
import type { OneRequest } from './exchange.ts';
import { headersForOthers } from './request-headers.ts';
import { DEFAULT_PORTS, isSameOrigin, resolveLocation } from './web-url.ts';

/**
 * Which redirects are followed. `none`: a redirect is itself the final answer. `origin`: those
 * within the same scheme, host and port. `public`: any, each judged as a destination of its own.
 */
export type Redirects = 'none' | 'origin' | 'public';

/** Redirects followed after the first request. */
const MAX_REDIRECTS = 5;

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * The next request after a redirect. Only requests that read are sent again.
 *
 * @param sent requests that were sent so far
 * @returns undefined if the answer is the last
 * @throws BulkheadError `blocked` for one too many, and for leaving https or the usual ports;
 * `invalid_arguments`
 */
export function followRedirect(
  response: IncomingMessage,
  request: OneRequest,
  redirects: Redirects,
  sent: number,
): OneRequest | undefined {
  const { location } = response.headers;
  if (redirects === 'none' || location === undefined || !REDIRECTS.has(response.statusCode ?? 0))
    return undefined;
  if (!SAFE.has(request.method)) return undefined;
  const url = resolveLocation(request.url, fromWire(location));
  const same = isSameOrigin(request.url, url);
  if (redirects === 'origin' && !same) return undefined;
  if (sent > MAX_REDIRECTS) throw refused(`there were more than ${MAX_REDIRECTS} redirects`);
  if (request.url.scheme === 'https' && url.scheme === 'http') {
    throw refused(`${request.url.host.text} sends on to ${url.host.text} without encryption`);
  }
  if (!same && url.port !== DEFAULT_PORTS[url.scheme]) {
    throw refused(
      `${request.url.host.text} sends on to ${url.host.text}:${url.port}, which is no usual port`,
    );
  }
  response.destroy();
  return { ...request, url, headers: same ? request.headers : headersForOthers(request.headers) };
}

/**
 * Node gives headers as one character for each byte; what servers write there unencoded is UTF-8.
 */
function fromWire(location: string): string {
  return Buffer.from(location, 'latin1').toString('utf8');
}

function refused(why: string): BulkheadError {
  return new BulkheadError('blocked', why);
}
