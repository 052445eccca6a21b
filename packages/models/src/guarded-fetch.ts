import { BulkheadError } from '@bulkhead/protocol';
import { type EventLimit, withBoundedBody } from './bounded-body.ts';

/**
 * A `fetch` that carries a key to one origin only. A request elsewhere is refused before it is
 * sent, and a redirect is an error instead of being followed, whatever its target [FT98].
 * @param events limit of one event of an answer; absent, the limit of the answer
 * @throws BulkheadError `unknown_provider_error`, not retryable, naming both hosts
 */
export function createGuardedFetch(baseUrl: string, events?: EventLimit): typeof globalThis.fetch {
  const origin = new URL(baseUrl).origin;
  return async (input, init) => {
    const target = new URL(input instanceof Request ? input.url : String(input));
    if (target.origin !== origin) throw refused(`a request to ${target.host} was refused`, baseUrl);
    const response = await fetch(input, { ...init, redirect: 'manual' });
    if (response.status < 300 || response.status >= 400) return withBoundedBody(response, events);
    await response.body?.cancel();
    throw refused(`${target.host} redirects to ${hostOf(response, target)}`, baseUrl, response.status);
  };
}

function hostOf(response: Response, target: URL): string {
  const location = response.headers.get('location') ?? '';
  return URL.canParse(location, target.href) ? new URL(location, target).host : 'another address';
}

function refused(what: string, baseUrl: string, status?: number): BulkheadError {
  return new BulkheadError('unknown_provider_error', `${what}; the key stays with ${new URL(baseUrl).host}`, {
    fix: 'If the other address is right, set it as baseUrl.',
    details: { host: new URL(baseUrl).host, ...(status === undefined ? {} : { status }) },
  });
}
