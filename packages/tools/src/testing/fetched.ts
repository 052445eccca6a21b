import { BulkheadError } from '@bulkhead/protocol';
import { parseAllowList } from '../egress/allow-list.ts';
import type { EgressBroker, FetchRules } from '../egress/egress-broker.ts';
import type { OneRequest } from '../egress/exchange.ts';
import { parseWebUrl } from '../egress/web-url.ts';

/** Fetches a URL, with its own host allowed. */
export async function fetched(
  broker: EgressBroker,
  text: string,
  rules: Partial<FetchRules> = {},
  more: Partial<OneRequest> = {},
) {
  const url = parseWebUrl(text);
  const allow = parseAllowList({ hosts: [url.host.text], ports: [url.port] });
  const request = { url, method: 'GET', headers: [], body: undefined, ...more };
  const all = { allow, redirects: 'public', maxBytes: 10_000, timeoutMs: 5_000, ...rules } as const;
  return await broker.fetch(request, all, AbortSignal.timeout(10_000));
}

/** The code of its error, or `reached`. */
export const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'reached',
    (error: unknown) => BulkheadError.from(error).code,
  );
