import type { IncomingMessage } from 'node:http';
import type { BulkheadError } from '@bulkhead/protocol';
import { refusal } from '../answer.ts';

/**
 * Names of this machine. Any other name that resolves here was rebound, and its page is foreign.
 */
const NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Checks browsers before anything else: the host name of the request, and the page that sent it.
 */
export class HostAndOrigin {
  readonly #hosts: ReadonlySet<string>;

  constructor(port: number) {
    this.#hosts = new Set(NAMES.map((name) => `${name}:${port}`));
  }

  /** @throws BulkheadError `denied` (403) for a foreign host or origin */
  check(request: IncomingMessage): void {
    const { headers, headersDistinct } = request;
    const hosts = headersDistinct['host'] ?? [];
    const host = hosts[0]?.toLowerCase();
    if (hosts.length !== 1 || host === undefined || !this.#hosts.has(host)) {
      throw denied('this address does not have that host name', 'Use http://127.0.0.1 with its port.');
    }
    const origins = headersDistinct['origin'] ?? [];
    if (origins.length === 0) {
      // A foreign page may link here but load nothing from here: its requests must not use up the
      // rate of strangers.
      if (isForeign(request) && headers['sec-fetch-mode'] !== 'navigate') throw foreignPage();
      return;
    }
    if (origins.length !== 1 || origins[0] !== `http://${host}` || isForeign(request)) throw foreignPage();
  }
}

/**
 * Browsers send a cookie automatically, so the page must be certainly ours: requests that change
 * state, and WebSockets, need our `Origin`.
 *
 * @throws BulkheadError `denied` (403)
 */
export function checkCookieCall(request: IncomingMessage, isUpgrade: boolean): void {
  if (isForeign(request)) throw foreignPage();
  const { method, headers } = request;
  const changes = method !== 'GET' && method !== 'HEAD';
  if ((changes || isUpgrade) && headers.origin === undefined) {
    throw denied('with the session cookie, a change needs the Origin of the page');
  }
  if (changes && mediaType(headers['content-type']) !== 'application/json') {
    throw denied('with the session cookie, a change needs Content-Type: application/json');
  }
}

/** Decides by the browser's own headers about the page. */
function isForeign({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

function foreignPage(): BulkheadError {
  return denied('a page of another origin may not call here');
}

/** The type without its parameters, in lower case; empty for none. */
export function mediaType(header: string | undefined): string {
  return (header ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

function denied(message: string, fix?: string): BulkheadError {
  return refusal(403, 'denied', message, fix === undefined ? {} : { fix });
}
